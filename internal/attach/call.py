# Run by gdb in its own Python: asks the interpreter of a program to run some code soon.
#
# It stops where a thread enters malloc. No lock of the interpreter's list of pending calls is held there by that thread,
# and by the calling convention nothing but malloc's argument is alive in the registers that a call may change. So a
# call is made by hand, with the entry of malloc as the place to return to: gdb's own way saves and restores the vector
# registers too, which fails under some kernels. The addresses are given: gdb needs no symbols of the program's.
import os
import time

import gdb

stops = []
gdb.events.stop.connect(lambda event: stops.append(isinstance(event, gdb.BreakpointEvent)))


def quietly(command):
    gdb.execute(command, to_string=True)


def run_on():
    """Lets the program run to a breakpoint; False when it was interrupted before."""
    del stops[:]
    try:
        quietly("continue")
    except KeyboardInterrupt:
        return False
    return bool(stops) and stops[-1]


def register(name):
    gdb.newest_frame().select()
    return int(gdb.parse_and_eval("(unsigned long)$" + name))


def set_register(name, value):
    # Without symbols gdb may take the caller's frame for the selected one once the stack pointer was changed; what is set there
    # is written to where the caller has saved it.
    gdb.newest_frame().select()
    quietly("set $%s = %d" % (name, value))


def stop_at(address):
    return gdb.Breakpoint("*%d" % address, internal=True)


class Visit:
    """The thread that stands at malloc's entry, and goes on there as if nothing had been."""

    def __init__(self):
        self.place, self.stack, self.argument = register("rip"), register("rsp"), register("rdi")
        self.breakpoint = stop_at(self.place)
        self.breakpoint.thread = gdb.selected_thread().global_num  # others pass by

    def call(self, function, *arguments):
        top = self.stack - 16
        gdb.selected_inferior().write_memory(top, self.place.to_bytes(8, "little"))
        for name, value in zip(("rdi", "rsi"), arguments):
            set_register(name, value)
        set_register("rsp", top)
        set_register("rip", function)
        while not run_on() or register("rsp") != top + 8:
            pass  # malloc within the call, or an impatient caller: the call has to end
        return register("rax")

    def leave(self):
        self.breakpoint.delete()
        set_register("rsp", self.stack)
        set_register("rdi", self.argument)
        set_register("rip", self.place)


def ask(code, add, run, mallocs):
    """The word by which the caller knows what became of it."""
    entries = [stop_at(address) for address in mallocs]
    reached = run_on()
    for entry in entries:
        entry.delete()
    if not reached:
        return "blocked"
    visit = Visit()
    try:
        text = code.encode("ascii") + b"\0"
        kept = visit.call(visit.place, len(text))
        if not kept:
            return "full"
        gdb.selected_inferior().write_memory(kept, text)
        return "asked" if visit.call(add, run, kept) & 0xFFFFFFFF == 0 else "full"
    finally:
        visit.leave()


def main(pid, code, addresses):
    quietly("handle all nostop noprint pass")
    begun = time.monotonic()
    try:
        quietly("attach " + pid)
    except gdb.error as error:
        return "refused: %s" % error, 0
    try:
        word = ask(code, addresses[0], addresses[1], addresses[2:])
    except KeyboardInterrupt:
        word = "blocked"
    except gdb.error as error:
        word = "failed: %s" % error
    try:
        quietly("detach")
    except gdb.error:
        pass  # it has ended
    return word, time.monotonic() - begun


said, seconds = main(os.environ["TORCHLEAK_PID"], os.environ["TORCHLEAK_CODE"],
                     [int(word, 16) for word in os.environ["TORCHLEAK_ADDRESSES"].split()])
print("torchleak:%d:%s" % (seconds * 1e9, said))
