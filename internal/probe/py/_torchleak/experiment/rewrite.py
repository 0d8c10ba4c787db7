"""Makes the statements of a file switchable: lines and columns stay as they are in the file.

    losses.append(x)   becomes   if S.on(3): losses.append(x); S.done(3)
    x = f(y)           becomes   x = S.put(4, f(y)) if S.on(4) else S.get(4)

With some off, the others may miss what these did. So each stands in a guard, which S.mended(4) tells whether to go on:

    try: x = …
    except Exception:
        if not S.mended(4): raise
        x = S.get(4)
"""

import ast
import copy

NAME = "__torchleak_switches__"  # no name that a class would make private

# What moves the training on: calls by their last name.
_UPDATES = ("backward", "step", "zero_grad", "update", "unscale_", "manual_backward", "optimizer_step")
_NEVER = ("__init__", "train", "eval", "set_epoch")
# What stores: a hint of where to look first, no more.
_KEEPS = ("append", "appendleft", "extend", "add", "insert", "put", "push", "setdefault", "register", "log", "record", "store", "add_module")
_TIED = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Rewriter(ast.NodeTransformer):
    """enter(place and kind, whether it gives a value) is asked for the number of each statement."""

    def __init__(self, enter, guarded):
        self._enter = enter
        self._guarded = guarded
        self._carried = set()  # names whose value goes from one round of a loop to the next, in this function
        self._in_class = False
        self._decorated = 0  # line of the function that is rewritten, where it has decorators

    def rewrite(self, tree):
        """The tree, changed in place."""
        tree = self._scope(tree)
        return ast.fix_missing_locations(tree)

    def _scope(self, node, in_class=False):
        before = self._carried, self._in_class, self._decorated
        self._carried, self._in_class = carried(node), in_class
        self._decorated = node.lineno if getattr(node, "decorator_list", None) and not in_class else 0
        node.body = [self.visit(s) for s in node.body]
        self._carried, self._in_class, self._decorated = before
        return node

    def visit_FunctionDef(self, node):
        return self._scope(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        return self._scope(node, in_class=True)

    def visit_Lambda(self, node):
        return node

    def visit_Expr(self, node):
        call = node.value
        if not isinstance(call, ast.Call):
            return node
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if name in _NEVER:
            return node
        kept = name in _KEEPS or name.startswith(("register_", "add_"))
        return self._passed(node, "update" if name in _UPDATES else "keep" if kept else "call", _plain(node))

    def visit_AugAssign(self, node):
        return self._passed(node, "carry" if isinstance(node.target, ast.Name) else "store")

    def visit_Assign(self, node):
        names = {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        if any(isinstance(t, ast.Subscript) for t in node.targets):
            return self._passed(node, "store")
        stored = (n for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Attribute))
        if any(isinstance(n.ctx, ast.Store) for n in stored):  # also one of several: y, self.state = …
            return self._given_again(node, "store")
        return self._given_again(node, "carry" if names & self._carried else "value")

    def visit_AnnAssign(self, node):
        if node.value is None:
            return node
        if isinstance(node.target, ast.Name):
            return self._given_again(node, "carry" if node.target.id in self._carried else "value")
        return self._passed(node, "store")

    def visit_Return(self, node):
        return node if node.value is None else self._given_again(node, "value")

    def _passed(self, node, kind, instead=None):
        index = self._number(node, kind, False)
        if index is None:
            return node
        done = ast.copy_location(ast.Expr(value=_ask("done", index)), node)
        asked = ast.copy_location(ast.If(test=_ask("on", index), body=[node, done], orelse=[instead] if instead else []), node)
        return self._guard(asked, index, [])

    def _given_again(self, node, kind):
        if isinstance(node.value, (ast.Constant, ast.Lambda)):
            return node
        index = self._number(node, kind, True)
        if index is None:
            return node
        again = copy.copy(node)
        again.value = _ask("get", index)
        value = ast.IfExp(test=_ask("on", index), body=_ask("put", index, node.value), orelse=_ask("get", index))
        node.value = ast.copy_location(value, node.value)
        return self._guard(node, index, [again])

    def _guard(self, node, index, otherwise):
        if not self._guarded:
            return node
        unmended = ast.UnaryOp(op=ast.Not(), operand=_ask("mended", index))
        body = [ast.If(test=unmended, body=[ast.Raise(exc=None, cause=None)], orelse=[])] + otherwise
        handler = ast.ExceptHandler(type=ast.Name(id="Exception", ctx=ast.Load()), name=None, body=body)
        return ast.copy_location(ast.Try(body=[node], handlers=[handler], orelse=[], finalbody=[]), node)

    def _number(self, node, kind, gives):
        if self._in_class or any(isinstance(n, _TIED) for n in ast.walk(node)):
            return None
        end = getattr(node, "end_lineno", None) or node.lineno
        begin = self._decorated if isinstance(node, ast.Return) else 0  # what decorates a function has its result
        place = {"line": node.lineno, "end_line": end, "column": node.col_offset, "kind": kind, "result_of": begin}
        return self._enter(place, gives)


def _plain(node):
    """A backward that keeps the graph, or makes one, as one that does not: it is off without the training's gradients
    being off too. None for others."""
    call = node.value
    keywords = [k for k in call.keywords if k.arg not in ("retain_graph", "create_graph")]
    if getattr(call.func, "attr", "") != "backward" or len(keywords) == len(call.keywords):
        return None
    plain = copy.deepcopy(node)
    plain.value.keywords = [k for k in plain.value.keywords if k.arg not in ("retain_graph", "create_graph")]
    return plain


def _ask(method, index, *values):
    owner = ast.Name(id=NAME, ctx=ast.Load())
    function = ast.Attribute(value=owner, attr=method, ctx=ast.Load())
    return ast.Call(func=function, args=[ast.Constant(value=index, kind=None)] + list(values), keywords=[])


def carried(scope):
    """Names of a function, or a module, that some loop in it reads before it gives them their value."""
    names = set()
    for node in _own(scope):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            first, written = {}, set()
            for name, reads in _events(node):
                first.setdefault(name, reads)
                if not reads:
                    written.add(name)
            names.update(name for name in written if first[name])
    return names


def _own(scope):
    """The nodes of a function without those of functions in it."""
    rest = list(scope.body)
    while rest:
        node = rest.pop()
        yield node
        if not isinstance(node, _SCOPES):
            rest.extend(ast.iter_child_nodes(node))


def _events(node):
    """(name, whether it is read) in the order of running, of a loop's round."""
    if isinstance(node, _SCOPES):
        return
    if isinstance(node, ast.Name):
        yield node.id, isinstance(node.ctx, ast.Load)
        return
    parts = list(ast.iter_child_nodes(node))
    if isinstance(node, (ast.Assign, ast.AnnAssign)):  # the value first, then the targets
        parts = [node.value] * (node.value is not None) + [p for p in parts if p is not node.value]
    elif isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Name):
            yield node.target.id, True
        parts = [node.value, node.target]
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        parts = [node.target] + node.body + node.orelse
    for part in parts:
        yield from _events(part)
