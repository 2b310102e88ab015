"""The browser that the tests drive, and the program that serves the page."""

import contextlib
import functools
import http.server
import os
import pathlib
import re
import subprocess
import threading
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ROOT / "Sources/FluxPage/Page"
RECORDINGS = ROOT / "Recordings"
BUILD = pathlib.Path(os.environ.get("FLUX_BUILD", ROOT / ".build/debug"))
ARTEFACTS = ROOT / ".build/page-tests/artefacts"
PROGRAM = BUILD / "flux-inspect"


def open_browser(width=1280, height=800, dark=False, scale=1, mobile=False, motion=True):
    """Opens a headless Chromium with a viewport of exactly this size."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(service=service, options=options)
    driver.set_page_load_timeout(30)
    driver.set_script_timeout(30)
    resize(driver, width, height, dark, scale, mobile, motion)
    return driver


def resize(driver, width, height, dark=False, scale=1, mobile=False, motion=True):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "prefers-reduced-motion", "value": "no-preference" if motion else "reduce"}]})


def until(condition, what, seconds=15):
    """Waits until a condition holds; fails with what was waited for."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        # An element may be drawn anew while it is looked at.
        with contextlib.suppress(StaleElementReferenceException):
            found = condition()
            if found:
                return found
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s for {what}")


def visit(driver, url):
    """Opens an address in a fresh document, and waits until the page is ready."""
    driver.get("about:blank")
    driver.get(url)
    until(lambda: driver.execute_script("return document.body && document.body.dataset.ready"), "the page")


def actions(driver):
    """What a person does with the mouse and the keyboard; a move takes 10 ms, by default it takes 250."""
    return ActionChains(driver, duration=10)


def keep(driver, name):
    """Keeps a screenshot for people to look at."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    driver.save_screenshot(str(ARTEFACTS / f"{name}.png"))


def errors(driver):
    """The errors of the browser's console since the last call."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


@contextlib.contextmanager
def serving(log, *arguments):
    """Runs `flux-inspect serve`; gives the address with the token."""
    process = subprocess.Popen([str(PROGRAM), "serve", str(log), *map(str, arguments)],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # Nothing waits for ever: a program that prints no address is ended, which ends the loop.
    deadline = threading.Timer(30, process.kill)
    deadline.start()
    drain = None
    try:
        lines = []
        for line in process.stdout:
            lines.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+/\S*#token=[0-9a-f]{64}", line)
            if found:
                deadline.cancel()
                drain = threading.Thread(target=process.stdout.read, daemon=True)
                drain.start()
                yield found.group(0)
                return
        raise AssertionError("serve ended: " + "".join(lines))
    finally:
        deadline.cancel()
        process.terminate()
        process.wait(10)
        # What a thread still reads must not be closed.
        if drain:
            drain.join(10)
        process.stdout.close()


def report(log, output, *arguments):
    """Writes a report, and gives its address."""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.unlink(missing_ok=True)
    subprocess.run([str(PROGRAM), "report", str(log), "-o", str(output), "--force", *map(str, arguments)],
                   check=True, capture_output=True, text=True, timeout=60)
    return output.as_uri()


class FilesOfThePage(http.server.SimpleHTTPRequestHandler):
    """Serves the modules of the page beside the files of a folder."""

    def translate_path(self, path):
        found = super().translate_path(path)
        inside = MODULES / os.path.relpath(found, self.directory)
        return str(inside) if not os.path.exists(found) and inside.exists() else found

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def files(folder):
    """Serves a folder and the modules of the page; gives the address."""
    handler = functools.partial(FilesOfThePage, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
