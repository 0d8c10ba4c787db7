# How a debugger asks the interpreter of a program to run some code soon. Behind this stands what one debugger does of it.
#
# It stops where a thread enters malloc. No lock of the interpreter's list of pending calls is held there by that thread,
# and by the calling convention nothing but malloc's argument is alive in the registers that a call may change. So a
# call is made by hand, with the entry of malloc as the place to return to: gdb's own way saves and restores the vector
# registers too, which fails under some kernels. The addresses are given: a debugger needs no symbols of the program's.
import os
import signal
import time

# By these the caller hurries. Anywhere but in the wait for a thread they would leave the program half changed, or stopped.
HURRY = (signal.SIGINT, signal.SIGTERM)
signal.pthread_sigmask(signal.SIG_BLOCK, HURRY)


class Machine:
    """A processor's registers by what calls use them for. link takes the address to return to; without one the stack does."""

    def __init__(self, place, stack, arguments, result, link=None):
        self.place, self.stack, self.arguments, self.result, self.link = place, stack, arguments, result, link
        # What a thread that enters malloc has of its own in those that a call by hand sets.
        self.kept = [name for name in (stack, arguments[0], link, place) if name]


MACHINES = {
    "x86_64": Machine("rip", "rsp", ("rdi", "rsi"), "rax"),
    "aarch64": Machine("pc", "sp", ("x0", "x1"), "x0", "x30"),
}
MACHINE = MACHINES[os.uname().machine]


class Refused(Exception):
    """The system does not let the debugger at the program."""


class Visit:
    """The thread that stands at malloc's entry, and goes on there as if nothing had been."""

    def __init__(self, debugger):
        self.debugger = debugger
        self.before = {name: debugger.register(name) for name in MACHINE.kept}
        self.place = self.before[MACHINE.place]
        self.breakpoint = debugger.stop_at(self.place, alone=True)  # other threads pass by

    def call(self, function, *arguments):
        debugger = self.debugger
        top = self.before[MACHINE.stack] - 16
        if MACHINE.link:
            debugger.set_register(MACHINE.link, self.place)
            back = top
        else:
            debugger.write(top, self.place.to_bytes(8, "little"))
            back = top + 8
        for name, value in zip(MACHINE.arguments, arguments):
            debugger.set_register(name, value)
        debugger.set_register(MACHINE.stack, top)
        debugger.set_register(MACHINE.place, function)
        while not debugger.run_on() or debugger.register(MACHINE.stack) != back:
            pass  # malloc within the call, which has to end
        return debugger.register(MACHINE.result)

    def leave(self):
        self.breakpoint.delete()
        for name, value in self.before.items():
            self.debugger.set_register(name, value)


def ask(debugger, code, add, run, *mallocs):
    """The word by which the caller knows what became of it."""
    entries = [debugger.stop_at(address) for address in mallocs]
    left = time.monotonic()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HURRY)
    try:
        reached = debugger.run_on()
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, HURRY)
        debugger.free = time.monotonic() - left
    for entry in entries:
        entry.delete()
    if not reached:
        return "blocked"
    visit = Visit(debugger)
    try:
        text = code.encode("ascii") + b"\0"
        kept = visit.call(visit.place, len(text))
        if not kept:
            return "full"
        debugger.write(kept, text)
        return "asked" if visit.call(add, run, kept) & 0xFFFFFFFF == 0 else "full"
    finally:
        visit.leave()


def call(debugger):
    code, addresses = os.environ["TORCHLEAK_CODE"], os.environ["TORCHLEAK_ADDRESSES"]
    begun = time.monotonic()
    debugger.free = 0  # seconds that the program ran, or slept, as it would have: until a thread came to malloc
    try:
        debugger.attach(int(os.environ["TORCHLEAK_PID"]))
        word = ask(debugger, code, *(int(address, 16) for address in addresses.split()))
    except Refused as refusal:
        return "refused: %s" % refusal, 0
    except KeyboardInterrupt:
        word = "blocked"
    except debugger.Failed as error:
        word = "failed: %s" % error
    try:
        debugger.detach()
    except debugger.Failed:
        pass  # it has ended
    return word, time.monotonic() - begun - debugger.free


def say(word, seconds):
    print("torchleak:%d:%s" % (seconds * 1e9, word), flush=True)


def main(debugger):
    say(*call(debugger))
