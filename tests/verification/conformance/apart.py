"""Calls a function in a process of its own, since onnxruntime ends the process for some models, and some tools never answer."""

import multiprocessing
import os

PROCESSES = multiprocessing.get_context("forkserver")


def preload(*modules):
    """Has what the functions need imported once, for all processes."""
    PROCESSES.set_forkserver_preload(list(modules))


def called(pipe, function, arguments):
    # What onnxruntime prints as it ends the process is of no use, and some tools print much.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    function(lambda message: pipe.send((message, False)), *arguments)
    pipe.send((None, True))


def messages(function, *arguments, patience):
    """What the function sends, by its first argument; and whether it came to an end within so many seconds."""
    here, there = multiprocessing.Pipe(duplex=False)
    process = PROCESSES.Process(target=called, args=(there, function, arguments))
    process.start()
    there.close()
    sent, is_end = [], False
    try:
        while not is_end and here.poll(patience):
            message, is_end = here.recv()
            sent += [] if is_end else [message]
    except EOFError:
        pass
    process.kill()
    process.join()
    return sent, is_end
