#!/usr/bin/python3
"""Makes the npm packages: `trustsql`, and `trustsql-<platform>-<arch>` with a module that has been built.

usage: build_npm.py module output-folder
Prints the paths of the two tarballs. `npm pack` gives files one fixed time, so that the same module gives the same
bytes. The module's own folder of node_modules is found by `optionalDependencies`, as is usual.
"""

import json
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

from version import version

HERE = pathlib.Path(__file__).resolve().parent
ARCHITECTURES = {'x86_64': 'x64', 'aarch64': 'arm64'}


def pack(folder, output):
    for path in folder.rglob('*'):
        path.chmod(0o755 if path.is_dir() else 0o644)
    packed = subprocess.run(['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', output], cwd=folder,
                            check=True, capture_output=True, text=True).stdout
    return output / json.loads(packed)[0]['filename']


def main():
    module, output = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    output.mkdir(parents=True, exist_ok=True)
    arch = ARCHITECTURES.get(platform.machine())
    if platform.system() != 'Linux' or arch is None:
        sys.exit(f'build_npm.py: no name for the platform {platform.system()} {platform.machine()}')
    name = f'trustsql-linux-{arch}'
    with tempfile.TemporaryDirectory() as work:
        main_folder, platform_folder = pathlib.Path(work, 'trustsql'), pathlib.Path(work, name)
        shutil.copytree(HERE / 'npm/trustsql', main_folder)
        shutil.copytree(HERE / 'npm/platform', platform_folder)
        for folder in (main_folder, platform_folder):
            shutil.copy(HERE.parent / 'LICENSE', folder)
        manifest = json.loads((main_folder / 'package.json').read_text())
        manifest['version'] = version()
        manifest['optionalDependencies'] = {name: version()}
        (main_folder / 'package.json').write_text(json.dumps(manifest, indent=2) + '\n')
        (platform_folder / 'package.json').write_text(json.dumps({
            'name': name, 'version': version(), 'license': manifest['license'],
            'description': f'The module of trustsql for linux-{arch}', 'os': ['linux'], 'cpu': [arch],
            'libc': ['glibc'], 'files': ['trustsql.so', 'README.md', 'LICENSE']}, indent=2) + '\n')
        shutil.copy(module, platform_folder / 'trustsql.so')
        subprocess.run(['strip', '--strip-unneeded', platform_folder / 'trustsql.so'], check=True)
        for folder in (platform_folder, main_folder):
            print(pack(folder, output))


main()
