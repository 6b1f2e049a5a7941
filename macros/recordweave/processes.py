"""What the operating system is asked about processes."""

import ctypes
import multiprocessing
import signal
import sys
from contextlib import suppress

_END_WITH_PARENT = 1
"""What `prctl` is told for a process to end with the one that began it, from Linux' `prctl.h`."""


def end_with_parent() -> None:
    """Let this process end when the one that began it does, however that happens; only on Linux."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)


def end_children() -> None:
    """End the processes that this one has begun, which would go on writing."""
    for child in multiprocessing.active_children():
        child.terminate()
        child.join()
