"""Ways from a name in the user's program to an object, as numbers that stay the same from census to census."""

(MODULE, FRAME, OPTIMIZER_ROOT, TORCH_HOOKS, GLOBAL, LOCAL, ATTRIBUTE, KEY, INDEX, CLOSURE, DEFAULT, CLASS_ATTRIBUTE,
 TABLE, HOOK, SELF, CACHED, TRACEBACK, GENERATOR, OTHER, NAMES, LOOP) = range(21)


class Paths:
    """All paths met in a request. A path is a number; 0 is no path."""

    def __init__(self):
        self._numbers = {}
        self._steps = [(0, None, None)]

    def number(self, parent, edge, name):
        """The path that goes on from parent by this edge."""
        step = (parent, edge, name)
        number = self._numbers.get(step)
        if number is None:
            number = self._numbers[step] = len(self._steps)
            self._steps.append(step)
        return number

    def step(self, path):
        """(parent, edge, name) of the path's last step."""
        return self._steps[path]

    def parent(self, path):
        """The path one step shorter."""
        return self._steps[path][0]

    def chain(self, path):
        """The path and all it goes through, the root first."""
        chain = []
        while path:
            chain.append(path)
            path = self._steps[path][0]
        chain.reverse()
        return chain
