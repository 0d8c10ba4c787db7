

# gdb, in whose own Python this runs.
import gdb


def quietly(command):
    gdb.execute(command, to_string=True)


class Debugger:
    Failed = gdb.error

    def __init__(self):
        self.stops = []
        gdb.events.stop.connect(lambda event: self.stops.append(isinstance(event, gdb.BreakpointEvent)))
        quietly("handle all nostop noprint pass")

    def attach(self, pid):
        try:
            quietly("attach %d" % pid)
        except gdb.error as error:
            raise Refused(error)

    def detach(self):
        quietly("detach")

    def stop_at(self, address, alone=False):
        """A breakpoint, for the thread that stands there alone or for all."""
        made = gdb.Breakpoint("*%d" % address, internal=True)
        if alone:
            made.thread = gdb.selected_thread().global_num
        return made

    def run_on(self):
        """Lets the program run to a breakpoint; False when it was interrupted before."""
        del self.stops[:]
        try:
            quietly("continue")
        except KeyboardInterrupt:
            return False
        return bool(self.stops) and self.stops[-1]

    def register(self, name):
        gdb.newest_frame().select()
        return int(gdb.parse_and_eval("(unsigned long)$" + name))

    def set_register(self, name, value):
        # Without symbols gdb may take the caller's frame for the selected one once the stack pointer was changed; what is set
        # there is written to where the caller has saved it.
        gdb.newest_frame().select()
        quietly("set $%s = %d" % (name, value))

    def write(self, address, data):
        gdb.selected_inferior().write_memory(address, data)


main(Debugger())
