#!/usr/bin/env python3
"""Runs the commands of README.md's transcript and writes what they answer below them.

Usage: transcript.py SCROLLBACK README.md

The transcript is the block behind the line `<!-- transcript -->`; its commands stand behind `$`.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

program, readme = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
MARK, INDENT = "<!-- transcript -->\n", "    "
before, _, rest = readme.read_text(encoding="utf-8").partition(MARK)
lines = rest.splitlines(keepends=True)
end = next(at for at, line in enumerate(lines) if line.strip() and not line.startswith(INDENT))
while not lines[end - 1].strip():
    end -= 1
commands = [line[len(INDENT):].rstrip("\n") if line.strip() else "" for line in lines[:end]]

with tempfile.TemporaryDirectory() as folder:
    environment = {
        "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": folder, "TZ": "UTC", "USER": "mira",
        "SCROLLBACK_STORE": f"{folder}/store.db", "LANG": "C.UTF-8",
    }
    written = ["\n"]
    for index, command in enumerate(commands):
        if not command.startswith("$ "):
            continue
        if index and not commands[index - 1] and written != ["\n"]:
            written.append("\n")
        written.append(f"{INDENT}{command}\n")
        answer = subprocess.run(
            command[2:], shell=True, env=environment, cwd=readme.parent, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
        written += [f"{INDENT}{line}\n" for line in answer.splitlines()]

readme.write_text(before + MARK + "".join(written) + "".join(lines[end:]), encoding="utf-8")
