# SPDX-License-Identifier: BSD-3-Clause
"""The tasks of a batch on a cluster of Dask.

    python3 -m orrery._batch_dask ADDRESS TIMEOUT TASKS N COMMAND...

is what `orrery batch --engine dask:ADDRESS` starts. TASKS are the numbers of tasks, as in 0,3-17, of N that there are;
COMMAND is the command line of a task, which says `--only NUMBER/N`. It runs on a worker, which has the directory of the
batch by the same name; what it has done lies there. A scheduler that has not answered for TIMEOUT s is not there, or has
gone.
"""

import asyncio
import os
import signal
import sys

MISSING = 69
IO = 74
# Of a task whose command or worker was ended from outside.
RETRIES = 10
MAX_WORDS = 2000


def run_task(command, last):
    """On a worker, which need not have this module. What was wrong, if anything was."""
    import subprocess

    words = subprocess.run(command + [last], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, close_fds=True)
    # EX_TEMPFAIL, and signals: it is tried again.
    if words.returncode in (75, 130, 137, 143, -1, -2, -9, -15):
        raise RuntimeError("the command of a task was ended from outside (%d)" % words.returncode)
    if words.returncode in (0, 1):
        return None
    return "exit code %d: %s" % (words.returncode, words.stderr.decode("utf-8", "replace")[-2000:].strip())


def fail(code, text):
    print("orrery batch: --engine dask: " + text, file=sys.stderr, flush=True)
    # Threads of a client that has lost its scheduler try for long to reach it.
    os._exit(code)


async def watch(client, address, timeout):
    """Ends when the scheduler has not answered for so long."""
    loop = asyncio.get_running_loop()
    latest = loop.time()
    while loop.time() - latest < timeout:
        try:
            await asyncio.wait_for(client.scheduler.identity(), timeout / 2)
            latest = loop.time()
        except (OSError, asyncio.TimeoutError):
            pass
        await asyncio.sleep(min(1, timeout / 4))
    fail(IO, "the scheduler at %s has not answered for %g s; tasks that go on are not lost, and the same command does "
         "the rest" % (address, timeout))


def find_cause(error):
    """What the system or the transport has said. It is below the exceptions of `distributed`, which speak of a time that
    is over even where something else was wrong. "" where nothing but time was over."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)[:MAX_WORDS]


async def connect(distributed, address, timeout):
    loop = asyncio.get_running_loop()
    began = loop.time()
    try:
        return await distributed.Client(address, asynchronous=True, timeout=timeout, set_as_default=False)
    except Exception as error:  # also of a transport that is not installed or lacks its settings
        late = ["no answer within %g s" % timeout] if loop.time() - began >= 0.9 * timeout else []
        words = late + [word for word in [find_cause(error)] if word]
        fail(MISSING, "no scheduler at %s: %s" % (address, ": ".join(words or [type(error).__name__])))


async def run_all(distributed, address, timeout, tasks, command):
    client = await connect(distributed, address, timeout)
    watcher = asyncio.ensure_future(watch(client, address, timeout))
    futures = [client.submit(run_task, command, task, pure=False, retries=RETRIES) for task in tasks]
    errors = []
    try:
        async for future in distributed.as_completed(futures, loop=client.loop):
            if future.status == "finished":
                errors.append(await future)
            elif future.status == "error":
                errors.append(str(await future.exception())[:MAX_WORDS])
            else:
                fail(IO, "the scheduler at %s has gone, and its tasks with it; the same command does the rest" % address)
    finally:
        watcher.cancel()
    await client.close(timeout=5)
    return [error for error in errors if error]


def read_tasks(text, n):
    """The last words of the tasks that are to be done."""
    tasks = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        tasks += ["%d/%s" % (task, n) for task in range(int(first), int(last or first) + 1)]
    return tasks


def main(address, timeout, tasks, n, *command):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A script of the user's that is called dask.py is not the module.
    if sys.path[0] in ("", os.getcwd()):
        del sys.path[0]
    try:
        import distributed
    except ImportError:
        fail(MISSING, "Python has no module distributed (Debian: the package python3-distributed)")
    import logging

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    errors = asyncio.run(run_all(distributed, address, float(timeout), read_tasks(tasks, n), [*command, "--only"]))
    for error in sorted(set(errors))[:10]:
        print("orrery batch: --engine dask: a task has failed: " + error, file=sys.stderr)
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
