

# lldb, or rather its server: lldb itself opens all files of a program that it attaches to, while that stands still for
# seconds. The server is asked in GDB's remote serial protocol with lldb's additions, see docs/resources/lldbgdbremote.md
# of LLVM. It knows nothing of a breakpoint's threads, nor how to go on at one.
import socket
import subprocess


class Breakpoint:
    def __init__(self, debugger, address, thread):
        self.debugger, self.address, self.thread = debugger, address, thread
        self.insert()
        debugger.breakpoints.append(self)

    def insert(self):
        self.debugger.do("Z0,%x,1" % self.address)

    def remove(self):
        self.debugger.do("z0,%x,1" % self.address)

    def delete(self):
        self.debugger.breakpoints.remove(self)
        self.remove()


class Debugger:
    class Failed(Exception):
        pass

    def __init__(self):
        self.breakpoints, self.numbers, self.thread = [], {}, None
        self.arrived = b""
        self.running = self.hurried = self.interrupted = False
        for number in HURRY:
            signal.signal(number, self.hurry)
        self.line, its = socket.socketpair()
        with its:
            self.server = subprocess.Popen(["lldb-server", "gdbserver", "--fd", str(its.fileno())],
                                           stdin=subprocess.DEVNULL, pass_fds=[its.fileno()])
        self.do("QStartNoAckMode")
        self.line.sendall(b"+")
        self.do("QThreadSuffixSupported")
        self.do("QEnableErrorStrings")
        self.ask("qSupported:xmlRegisters=i386;multiprocess+;fork-events+")  # the first is not looked at
        self.ask("qHostInfo")  # takes a while the first time, and attaching wants it

    def close(self):
        self.line.close()  # by which the server ends
        try:
            self.server.wait(10)
        except subprocess.TimeoutExpired:
            self.server.kill()

    def attach(self, pid):
        self.program = pid
        self.send("vAttach;%x" % pid)
        answer = self.packet()
        if answer[:1] != "T":
            raise Refused(words(answer))
        self.stopped(answer)
        # All signals are the program's. The two that are left out are what breakpoints and stops come by.
        self.do("QPassSignals:" + ";".join("%x" % n for n in range(1, 65) if n not in (signal.SIGTRAP, signal.SIGSTOP)))

    def detach(self):
        self.do("D")

    def stop_at(self, address, alone=False):
        """A breakpoint, for the thread that stands there alone or for all."""
        return Breakpoint(self, address, self.thread if alone else None)

    def run_on(self):
        """Lets the program run to a breakpoint; False when it was interrupted before."""
        while True:
            here = self.here()
            if here:
                here.remove()
                self.resume("s:" + self.thread)
                here.insert()
            why = self.resume("c")
            if why == "fork":
                continue
            if why != "breakpoint":
                self.hurried = False
                return False
            here = self.here()
            if here and here.thread in (None, self.thread):
                return True

    def here(self):
        """The breakpoint at which the thread that stopped stands."""
        place = self.register(MACHINE.place)
        return next((b for b in self.breakpoints if b.address == place), None)

    def resume(self, action):
        """Has the program do something until it stops, and returns why it did."""
        self.send("vCont;" + action)
        self.running = True
        if self.hurried:
            self.interrupt()
        why = self.stopped(self.packet())
        self.running = False
        if self.interrupted:
            self.ask("qC")  # an interrupt that came too late is answered by one stop more
        self.interrupted = False
        return why

    def hurry(self, *_):
        self.hurried = True
        if self.running:
            self.interrupt()

    def interrupt(self):
        if not self.interrupted:
            self.interrupted = True
            self.line.sendall(b"\x03")

    def stopped(self, packet):
        """Takes the thread of a stop, and returns the reason."""
        if packet[:1] != "T":
            raise self.Failed("lost the program, which has ended: %s" % packet)
        fields = dict(field.split(":", 1) for field in packet[3:].split(";") if ":" in field)
        self.thread = fields["thread"].rpartition(".")[2]  # newer servers put the program before it
        if fields.get("reason") == "fork":
            self.release(fields["fork"])
        return fields.get("reason")

    def release(self, child):
        """Lets a child go that the program has forked, without the breakpoints that stand in its copy of the memory."""
        self.do("Hg" + child)
        for stop in self.breakpoints:
            stop.remove()
        self.do("D;" + child[1:].partition(".")[0])
        for kind in "gc":
            self.do("H%sp%x.%s" % (kind, self.program, self.thread))

    def number(self, name):
        """The server's for a register."""
        while name not in self.numbers:
            at = len(set(self.numbers.values()))
            fields = dict(field.split(":", 1) for field in self.ask("qRegisterInfo%x" % at).split(";") if ":" in field)
            if "name" not in fields:
                raise self.Failed("knows no register %s" % name)
            self.numbers[fields["name"]] = self.numbers[fields.get("alt-name", fields["name"])] = at
        return self.numbers[name]

    def register(self, name):
        answer = self.ask("p%x;thread:%s;" % (self.number(name), self.thread))
        try:
            return int.from_bytes(bytes.fromhex(answer), "little")
        except ValueError:
            raise self.Failed("cannot read %s: %s" % (name, words(answer)))

    def set_register(self, name, value):
        self.do("P%x=%s;thread:%s;" % (self.number(name), value.to_bytes(8, "little").hex(), self.thread))

    def write(self, address, data):
        self.do("M%x,%x:%s" % (address, len(data), data.hex()))

    def do(self, text):
        answer = self.ask(text)
        if answer != "OK":
            raise self.Failed("does not do %.20s: %s" % (text, words(answer)))

    def ask(self, text):
        self.send(text)
        while True:
            answer = self.packet()
            if answer[:1] != "T":  # a stop that was said already
                return answer

    def send(self, text):
        data = text.encode("ascii")
        try:
            self.line.sendall(b"$%s#%02x" % (data, sum(data) & 255))
        except OSError:
            raise self.Failed("has gone")

    def packet(self):
        while True:
            packet, end, rest = self.arrived.partition(b"#")
            if end and len(rest) >= 2:  # the sum
                self.arrived = rest[2:]
                return packet.partition(b"$")[2].decode("latin-1")
            try:
                data = self.line.recv(1 << 16)
            except OSError:  # it was killed with something of ours unread
                data = b""
            if not data:
                raise self.Failed("has gone")
            self.arrived += data


def words(answer):
    """What the server says against it: "E01;" and hexadecimal text."""
    code, _, text = answer.partition(";")
    try:
        return bytes.fromhex(text).decode("utf-8", "replace") or code
    except ValueError:
        return answer


try:
    server = Debugger()
except Debugger.Failed as error:
    say("failed: %s" % error, 0)
else:
    try:
        main(server)
    finally:
        server.close()
