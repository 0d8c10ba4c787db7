package pyflow

// usage concludes from what values are used for: what a loss function is given is one tensor, what a module is given
// in a loop that trains is a batch, and what has a method that is part of a model is the model.
func (it *interp) usage() {
	models := map[*value]bool{}
	for _, v := range it.values {
		switch {
		case v.op == opCompute && v.loss:
			single(v.in)
		case v.op == opCall && v.in[0].traits&Differs != 0:
			single(v.in[1:])
		case v.op == opCall && v.in[0].traits&Net != 0:
			if v.loops != nil && v.loops.trains {
				fed(v.in[1:])
			}
			if method := v.in[0]; method.stub && len(method.in) > 0 {
				models[method.in[0].source()] = true
			}
		}
	}
	for _, v := range it.values {
		if v.op == opCall && v.in[0].traits == 0 {
			if owner := v.in[0].source(); models[owner] && !owner.shared() {
				owner.traits |= Net
			}
		}
	}
}

// single marks results of calls that are surely one tensor.
func single(in []*value) {
	for _, w := range in {
		if w = w.source(); w.op == opCall {
			w.one = true
		}
	}
}

// fed marks the elements of what nobody knows that a module is given, maybe in parts and on another device, batches.
func fed(in []*value) {
	for _, w := range in {
		for depth := 0; depth < 8 && len(w.in) > 0; depth++ {
			if w.each && w.op == opElem {
				if from := w.in[0].source(); w.traits == 0 && from.traits == 0 && from.object == nil && from.path != "" {
					w.traits |= Batch
				}
				break
			}
			if w.op != opMoved && w.op != opElem && (w.op != opCopy || len(w.in) != 1) {
				break
			}
			w = w.in[0]
		}
	}
}
