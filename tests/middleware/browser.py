# SPDX-License-Identifier: BSD-3-Clause
"""Chromium without a window, driven through its DevTools port."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from websocket_client import LIMIT, Socket  # noqa: E402

# What Chromium answers where a page is left before it has answered.
GOES_ELSEWHERE = ("Inspected target navigated or closed", "Execution context was destroyed",
                  "Cannot find default execution context")


def find_chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page. Errors and refusals that its console shows are kept in `console`."""

    def __init__(self, url="about:blank", width=640, height=360):
        self.home = tempfile.mkdtemp(prefix="orrery-chromium-")
        # As root Chromium has no sandbox; WebGL is drawn by the processor.
        self.process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--no-sandbox", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--remote-debugging-port=0", "--user-data-dir=" + self.home, "--window-size=%d,%d" % (width, height),
             "about:blank"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.console = []
        self.last = 0
        try:
            self._connect(width, height)
            self.open(url)
        except BaseException:
            self.close()
            raise

    def _connect(self, width, height):
        for line in self.process.stderr:
            if line.startswith("DevTools listening on "):
                port = int(line.split(":")[2].split("/")[0])
                break
        else:
            raise EOFError("chromium ended")
        with urllib.request.urlopen("http://127.0.0.1:%d/json" % port, timeout=LIMIT) as answer:
            page = next(one for one in json.load(answer) if one["type"] == "page")
        self.socket = Socket(port, path="/devtools/page/" + page["id"])
        for domain in ("Runtime", "Log", "Page"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def resize(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def call(self, method, **params):
        self.last += 1
        self.socket.text(json.dumps({"id": self.last, "method": method, "params": params}))
        while True:
            opcode, body = self.socket.read()
            if opcode == 9:
                self.socket.frame(10, body)
                continue
            message = json.loads(body)
            self._note(message)
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError("%s: %s" % (method, message["error"]))
                return message["result"]

    def _note(self, message):
        params = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif message.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.console.append(params["entry"]["text"] + " " + params["entry"].get("url", ""))
        elif message.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.console.append(" ".join(str(one.get("value", one.get("description"))) for one in params["args"]))

    def open(self, url):
        self.call("Page.navigate", url=url)

    def run(self, expression):
        """The value of an expression in the page; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description"))
        return answer["result"].get("value")

    def wait(self, expression, limit=LIMIT):
        """Until it is true in the page, which may give way to another one meanwhile."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            try:
                value = self.run("""new Promise((done) => {
                    const end = performance.now() + 2000;
                    const look = () => {
                      let value;
                      try { value = (%s); } catch { value = undefined; }
                      if (value || performance.now() > end) done(value); else setTimeout(look, 20);
                    };
                    look();
                  })""" % expression)
            except RuntimeError as error:
                if not any(words in str(error) for words in GOES_ELSEWHERE):
                    raise
                continue
            if value:
                return value
        raise AssertionError("never true: %s; console: %s" % (expression, self.console))

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, code=None, text=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      **({"text": text} if text and kind == "keyDown" else {}))

    def picture(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def close(self):
        if getattr(self, "socket", None) is not None:
            self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
