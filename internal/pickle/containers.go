package pickle

// remember gives the value on top the number i.
func (d *Decoder) remember(i int) error {
	if d.sp == 0 {
		return d.fail("nothing is there to be numbered")
	}
	if i < d.memo.length {
		d.form.forget(0) // it may be a key's
		d.stamp.form = 0
	}
	if !d.memo.reserve(i) {
		return d.fail("value %d is numbered, only %d are there", i, d.memo.length)
	}
	if i >= int(borrowed)-1 {
		return d.fail("more than %d values are numbered", i)
	}
	v := &d.stack[d.sp-1]
	switch v.Kind {
	case Dict, List:
		if v.memo == 0 {
			v.memo = uint32(i) + 1
			d.opened++
			d.memo.set(i, 0) // until it is complete
		}
	default:
		d.memo.set(i, pack(*v))
	}
	return nil
}

// numberFresh gives a new container the next number, where the memo has room for it.
func (d *Decoder) numberFresh(v *Value) bool {
	if v.memo != 0 || v.Kind != Dict && v.Kind != List || d.memo.length >= len(d.memo.pages)<<pageBits {
		return false
	}
	d.memo.length++
	v.memo = uint32(d.memo.length)
	d.opened++
	return true
}

// unmark returns where the values behind the last mark begin, and makes the empty containers among them known.
func (d *Decoder) unmark() (int, error) {
	n := len(d.marks)
	if n == 0 {
		return 0, d.fail("a container is closed that was not opened")
	}
	m := d.marks[n-1]
	d.marks = d.marks[:n-1]
	if d.opened > m.opened && m.sp <= d.sp {
		d.settle(d.stack[m.sp:d.sp])
	}
	return m.sp, nil
}

// extend adds what is behind the last mark to the container in front of it.
func (d *Decoder) extend(op byte) error {
	from, err := d.unmark()
	if err != nil {
		return err
	}
	if from < 1 {
		return d.fail("items without a container")
	}
	err = d.add(from, op == opSetItems)
	d.pos++
	return err
}

// extendOne adds one item to the container in front of it.
func (d *Decoder) extendOne(op byte) error {
	from := d.sp - 1
	if op == opSetItem {
		from--
	}
	if from < 1 || len(d.marks) > 0 && from <= d.marks[len(d.marks)-1].sp {
		return d.fail("an item without a container")
	}
	d.settle(d.stack[from:d.sp])
	err := d.add(from, op == opSetItem)
	d.pos++
	return err
}

// gather makes a container of what is behind the last mark.
func (d *Decoder) gather(op byte) error {
	from, err := d.unmark()
	if err != nil {
		return err
	}
	kind := List
	if op == opDict {
		kind = Dict
	}
	d.push(Value{})
	copy(d.stack[from+1:d.sp], d.stack[from:d.sp-1])
	d.stack[from] = Value{Kind: kind}
	err = d.add(from+1, op == opDict)
	d.pos++
	return err
}

// add has the builder add the values from on to the container in front of them.
func (d *Decoder) add(from int, dict bool) error {
	if from > d.sp {
		return d.fail("a container lies outside its own")
	}
	to := d.stack[from-1]
	items := d.stack[from:d.sp]
	if to.memo == borrowed {
		return d.fail("a container that others hold, or that holds itself, is changed")
	}
	if len(items) == 0 { // stays as it is
		d.sp = from
		return nil
	}
	var v Value
	var err error
	switch {
	case dict && (len(items)%2 != 0 || to.Kind < Own && to.Kind != Dict && to.Kind != Plain):
		return d.fail("items that are no keys and values")
	case dict:
		v, err = d.build.Dict(to, items)
	case to.Kind < Own && to.Kind != List && to.Kind != Plain:
		return d.fail("items for something that is no list")
	default:
		v, err = d.build.List(to, items)
	}
	if err != nil {
		return d.fail("%v", err)
	}
	if to.memo != 0 && (to.Kind == Dict || to.Kind == List) {
		d.opened--
	}
	d.sp = from - 1
	d.put(v, to.memo)
	return nil
}

// settle makes empty containers that now have their place known to the memo: they will stay empty.
func (d *Decoder) settle(items []Value) {
	for i := range items {
		if v := &items[i]; (v.Kind == Dict || v.Kind == List) && v.memo != 0 && v.memo != borrowed {
			d.memo.set(int(v.memo)-1, pack(*v))
			v.memo = borrowed
			d.opened--
		}
	}
}

// tuple makes a tuple of the values from on, or of those behind the last mark.
func (d *Decoder) tuple(from int, marked bool) (err error) {
	if marked {
		if from, err = d.unmark(); err != nil {
			return err
		}
	}
	if from < 0 || from > d.sp {
		return d.fail("a tuple without items")
	}
	items := d.stack[from:d.sp]
	if !marked {
		d.settle(items)
	}
	v, err := d.build.Tuple(items)
	if err != nil {
		return d.fail("%v", err)
	}
	d.sp = from
	d.put(v, 0)
	d.pos++
	return nil
}

// put pushes what the builder made, under the number that its container was given, and joins neighbours.
func (d *Decoder) put(v Value, memo uint32) {
	v.memo = memo
	if memo != 0 {
		if p := pack(v); p != 0 {
			d.memo.set(int(memo)-1, p)
		}
	}
	if v.Kind >= Run && d.sp > 0 {
		before := &d.stack[d.sp-1]
		// What a mark lies between are not neighbours.
		marked := len(d.marks) > 0 && d.marks[len(d.marks)-1].sp == d.sp
		if before.Kind == v.Kind && uint32(before.N) == uint32(v.N>>32) && !marked {
			before.N = before.N>>32<<32 | v.N&(1<<32-1)
			return
		}
	}
	d.push(v)
}
