# SPDX-License-Identifier: BSD-3-Clause
"""The notebooks of the examples, executed without a browser; and the tutorial with all of its hundred runs."""

import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402

try:
    import ipykernel  # noqa: F401
    import matplotlib  # noqa: F401
    import nbclient
    import nbformat
except ImportError:
    nbclient = None

EXAMPLES = os.path.join(cli.SOURCE, "examples")


def outputs_of(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def texts_of(notebook):
    """What cells print and return."""
    printed = [output.text for output in outputs_of(notebook) if output.get("name") == "stdout"]
    return printed + [output.data["text/plain"] for output in outputs_of(notebook)
                      if "data" in output and "image/png" not in output.data]


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Notebook(PythonCase):
    def execute(self, name):
        """Returns: the notebook as it is in the tree, and with fresh outputs; none of them is an error."""
        os.environ.update(self.environment(), PYTHONPATH=os.path.join(cli.BUILD, "share/orrery-1/python"),
                          MPLBACKEND="module://matplotlib_inline.backend_inline", IPYTHONDIR=self.path("ipython"))
        notebooks = [nbformat.read(os.path.join(EXAMPLES, name), as_version=4) for _ in range(2)]
        nbclient.NotebookClient(notebooks[1], timeout=300, kernel_name="python3",
                                resources={"metadata": {"path": EXAMPLES}}).execute()
        self.assertEqual([output for output in outputs_of(notebooks[1]) if output.output_type == "error"], [])
        return notebooks

    @unittest.skipUnless(nbclient, "no nbclient, ipykernel or matplotlib")
    def test_example(self):
        _, notebook = self.execute("notebook.ipynb")
        shown = [output.data for output in outputs_of(notebook) if "data" in output]
        self.assertTrue(any("image/png" in data for data in shown))
        self.assertTrue(any("'Arrived'" in data.get("text/plain", "") for data in shown))

    @unittest.skipUnless(nbclient, "no nbclient, ipykernel or matplotlib")
    def test_recording(self):
        """The outputs that it has in the tree are those of today; pictures may differ in what draws them."""
        told, notebook = self.execute("recording.ipynb")
        self.assertEqual(texts_of(told), texts_of(notebook))
        self.assertIn("196 poses, the last at", "".join(texts_of(told)))
        pictures = [output.data["image/png"] for output in outputs_of(notebook) if "image/png" in output.get("data", {})]
        self.assertEqual(len(pictures), 2)

    @unittest.skipUnless(nbclient, "no nbclient, ipykernel or matplotlib")
    def test_learning(self):
        _, notebook = self.execute("learning.ipynb")
        printed = "".join(texts_of(notebook))
        self.assertIn("{'pose': (3,), 'scan': (9,)}", printed)
        first, last = (float(number) for number in re.search(r"(\S+) at first, (\S+) at the end", printed).groups())
        self.assertLess(first, 5)
        self.assertGreater(last, first + 5)
        self.assertEqual(sum("image/png" in output.get("data", {}) for output in outputs_of(notebook)), 2)

    @unittest.skipUnless(nbclient, "no nbclient, ipykernel or matplotlib")
    def test_sweep(self):
        _, notebook = self.execute("sweep.ipynb")
        printed = "".join(texts_of(notebook))
        self.assertIn("20 runs, 0 failed", printed)
        self.assertIn("['run', 'guard.pose/Gaussian#0.sigma', 'seed', 'exit', 'ticks', 'hash', 'off']", printed)
        self.assertEqual(sum("image/png" in output.get("data", {}) for output in outputs_of(notebook)), 1)

    def test_hundred_runs(self):
        guide = os.path.join(os.path.dirname(os.path.abspath(__file__)), "test_guide.py")
        done = subprocess.run([sys.executable, guide, "--all"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ok 1 - Guide.test_chapter", done.stdout)


if __name__ == "__main__":
    tap.main()
