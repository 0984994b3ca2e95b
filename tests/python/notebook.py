# SPDX-License-Identifier: BSD-3-Clause
"""The notebook of the examples, executed without a browser; and the tutorial with all of its hundred runs."""

import os
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


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Notebook(PythonCase):
    @unittest.skipUnless(nbclient, "no nbclient, ipykernel or matplotlib")
    def test_example(self):
        os.environ.update(self.environment(), PYTHONPATH=os.path.join(cli.BUILD, "share/orrery-1/python"),
                          MPLBACKEND="module://matplotlib_inline.backend_inline", IPYTHONDIR=self.path("ipython"))
        with open(os.path.join(EXAMPLES, "notebook.ipynb"), encoding="utf-8") as file:
            notebook = nbformat.read(file, as_version=4)
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                                resources={"metadata": {"path": EXAMPLES}}).execute()
        outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        self.assertEqual([output for output in outputs if output.output_type == "error"], [])
        shown = [output.data for output in outputs if "data" in output]
        self.assertTrue(any("image/png" in data for data in shown))
        self.assertTrue(any("'Arrived'" in data.get("text/plain", "") for data in shown))

    def test_hundred_runs(self):
        guide = os.path.join(os.path.dirname(os.path.abspath(__file__)), "test_guide.py")
        done = subprocess.run([sys.executable, guide, "--all"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ok 1 - Guide.test_chapter", done.stdout)


if __name__ == "__main__":
    tap.main()
