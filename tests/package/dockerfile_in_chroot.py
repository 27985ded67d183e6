#!/usr/bin/python3
"""Runs the steps of packages/Dockerfile without a container runtime: each stage in a chroot that debootstrap makes.

usage: dockerfile_in_chroot.py Dockerfile context-folder work-folder -- argument... (run as root)
Reads the instructions that the file uses (FROM, RUN, COPY, WORKDIR, USER, ENTRYPOINT) and stops at any other. At last it
runs the entry point of the last stage with the arguments, and prints what that prints.
"""

import fnmatch
import glob
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

MIRROR = 'http://deb.debian.org/debian'


def instructions(text):
    """The (name, argument) pairs of a Dockerfile, with continued lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith('#')]
    for line in '\n'.join(lines).replace('\\\n', ' ').splitlines():
        if line.strip():
            name, _, argument = line.strip().partition(' ')
            yield name.upper(), argument.strip()


class Stage:
    def __init__(self, root):
        self.root, self.folder, self.user, self.entry_point = root, '/', 'root', None

    def run(self, command, **options):
        """Runs an argument list in the stage, with its own /proc and /dev that go when it ends."""
        inner = shlex.join(['chroot', f'--userspec={self.user}', self.root, 'sh', '-c',
                            f'cd {shlex.quote(self.folder)} && exec "$@"', 'sh', *command])
        script = (f'mount -t proc proc {shlex.quote(self.root)}/proc && '
                  f'mount --bind /dev {shlex.quote(self.root)}/dev && exec {inner}')
        environment = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': '/root',
                       'DEBIAN_FRONTEND': 'noninteractive', 'LC_ALL': 'C.UTF-8'}
        return subprocess.run(['unshare', '-m', 'sh', '-c', script], check=True, env=environment, **options)


def copy(sources, target, root, ignored):
    path = root + target
    for source in sources:
        if os.path.isdir(source):
            shutil.copytree(source, path, symlinks=True, dirs_exist_ok=True, ignore=lambda folder, names: [
                name for name in names
                if any(fnmatch.fnmatch(os.path.relpath(os.path.join(folder, name), source), pattern.replace('**/', '*'))
                       for pattern in ignored)])
        else:
            shutil.copy2(source, path)


def main():
    dockerfile, context, work = sys.argv[1:4]
    arguments = sys.argv[5:]
    ignore_file = pathlib.Path(dockerfile + '.dockerignore')
    ignored = ignore_file.read_text().split() if ignore_file.exists() else []
    base = os.path.join(work, 'base')
    if not os.path.exists(os.path.join(base, 'etc/debian_version')):
        subprocess.run(['debootstrap', '--variant=minbase', 'bookworm', base, MIRROR], check=True,
                       stdout=subprocess.DEVNULL)
    stages, stage = {}, None
    for name, argument in instructions(pathlib.Path(dockerfile).read_text()):
        print(f'--- {name} {argument[:100]}', flush=True)
        if name == 'FROM':
            image, *rest = argument.split()
            if image != 'debian:bookworm-slim':
                sys.exit(f'no chroot stands for the image {image}')
            root = os.path.join(work, f'stage{len(stages)}')
            subprocess.run(['rm', '-rf', '--one-file-system', root], check=True)
            subprocess.run(['cp', '-a', base, root], check=True)
            stage = Stage(root)
            stages[rest[1] if rest else str(len(stages))] = stage
        elif name == 'RUN':
            stage.run(['/bin/sh', '-c', argument], stdout=subprocess.DEVNULL)
        elif name == 'COPY':
            words = argument.split()
            source_root = context
            if words[0].startswith('--from='):
                source_root = stages[words.pop(0)[7:]].root
            sources = [path for word in words[:-1] for path in glob.glob(os.path.join(source_root, word.lstrip('/')))]
            if not sources:
                sys.exit(f'COPY {argument}: nothing to copy')
            copy(sources, words[-1], stage.root, ignored)
        elif name == 'WORKDIR':
            os.makedirs(stage.root + argument, exist_ok=True)
            stage.folder = argument
        elif name == 'USER':
            stage.user = argument
        elif name == 'ENTRYPOINT':
            stage.entry_point = json.loads(argument)
        else:
            sys.exit(f'the instruction {name} is not known here')
    output = stage.run([*stage.entry_point, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    print(output, end='')


main()
