import torch
feats = []  #: expression_statement 0

def f(a,  #: function_definition 0
      b=[]):  #: function_definition -1
    """Doc."""  #: expression_statement 0
    # nothing  #:
    feats.append(  #: expression_statement 0
        a,  #: expression_statement -1
    )  #: expression_statement -2
    for x in range(  #: for_statement 0
            3):  #: for_statement -1
        # a comment in the head  #:
        feats.append(x)  #: expression_statement 0
    else:  #:
        a = 1; b.append(a); c = 2  #: expression_statement 0, expression_statement 0, expression_statement 0
    if a: b.append(a)  #: expression_statement 0, if_statement 0
    elif b:  #: elif_clause 0
        pass  #: pass_statement 0
    try:  #: try_statement 0
        pass  #: pass_statement 0
    except ValueError as e:  #: except_clause 0
        b.append(e)  #: expression_statement 0
    finally:  #:
        del a  #: delete_statement 0
    with torch.no_grad(), \
            open(a) as g:  #: with_statement -1
        y = [z  #: expression_statement 0
             for z in g]  #: expression_statement -1
    match a:  #: match_statement 0
        case [1, z]:  #: case_clause 0
            b.append(z)  #: expression_statement 0
    return a  #: return_statement 0


@torch.no_grad()  #: decorated_definition 0
async def g():  #: function_definition 0, decorated_definition -1
    async for x in f():  #: for_statement 0
        await x  #: expression_statement 0
    while True: break  #: break_statement 0, while_statement 0


class C(  #: class_definition 0
        object):  #: class_definition -1
    kept = []  #: expression_statement 0
  #:
