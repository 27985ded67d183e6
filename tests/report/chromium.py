"""Drives a headless Chromium through its DevTools protocol over a pipe; needs nothing but Python's library.

https://chromedevtools.github.io/devtools-protocol/
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The path of the browser, or None."""
    for name in ('chromium', 'chromium-browser', 'google-chrome', 'chrome'):
        if path := shutil.which(name):
            return path
    return None


class Chromium:
    def __init__(self, path):
        self._profile = tempfile.mkdtemp(prefix='trustsql-chromium-')
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def place_pipes():  # the browser reads from descriptor 3 and writes to 4
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self._process = subprocess.Popen(
            [path, '--headless=new', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--no-first-run',
             '--disable-dev-shm-usage', '--hide-scrollbars', '--force-device-scale-factor=1',
             f'--user-data-dir={self._profile}', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=place_pipes, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b''
        self._id = 0
        self._events = []
        targets = self._call('Target.getTargets')['targetInfos']
        page = next(target['targetId'] for target in targets if target['type'] == 'page')
        self._session = self._call('Target.attachToTarget', targetId=page, flatten=True)['sessionId']
        self.call('Page.enable')
        self.call('Runtime.enable')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call('Browser.close')
        except (OSError, RuntimeError):
            pass
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)

    def _message(self, deadline):
        while b'\0' not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise RuntimeError('the browser does not answer')
            piece = os.read(self._read, 1 << 16)
            if not piece:
                raise RuntimeError('the browser has ended')
            self._buffer += piece
        message, self._buffer = self._buffer.split(b'\0', 1)
        return json.loads(message)

    def _call(self, method, session=None, **params):
        self._id += 1
        message = {'id': self._id, 'method': method, 'params': params}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self._write, data):]
        deadline = time.monotonic() + 120
        while True:
            answer = self._message(deadline)
            if answer.get('id') != self._id:
                self._events.append(answer)
                continue
            if 'error' in answer:
                raise RuntimeError(f'{method}: {answer["error"]}')
            return answer['result']

    def call(self, method, **params):
        return self._call(method, self._session, **params)

    def open(self, html):
        """Shows a page; its messages and errors are in `problems` afterwards."""
        self._events.clear()
        path = pathlib.Path(self._profile, 'page.html')
        path.write_text(html, encoding='utf-8')
        self.call('Log.enable')
        self.call('Page.navigate', url=path.as_uri())
        self.evaluate('new Promise(done => '
                      'document.readyState === "complete" ? done() : addEventListener("load", done))')

    def problems(self):
        """What the browser complained of since the page was opened."""
        self.evaluate('1')
        found = []
        for event in self._events:
            if event.get('method') == 'Log.entryAdded':
                found.append(event['params']['entry']['text'])
            elif event.get('method') == 'Runtime.exceptionThrown':
                found.append(str(event['params']['exceptionDetails']))
        return found

    def evaluate(self, expression):
        result = self.call('Runtime.evaluate', expression=expression, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(str(result['exceptionDetails']))
        return result['result'].get('value')

    def size(self, width, height, dark):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call('Emulation.setEmulatedMedia',
                  features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def screenshot(self, path):
        # The size is asked, since a page that has just changed is not laid out yet.
        width, height = self.evaluate('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]')
        clip = {'x': 0, 'y': 0, 'width': width, 'height': height, 'scale': 1}
        data = self.call('Page.captureScreenshot', format='png', captureBeyondViewport=True, clip=clip)['data']
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.call('Page.printToPDF', printBackground=True)['data'])
