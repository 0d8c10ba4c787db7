package snapshot

// column holds small numbers, in no more room than they need: none while all are 0, two bytes while all fit.
type column struct {
	narrow *[chunkSize]uint16
	wide   *[chunkSize]uint32
}

func (c *column) at(i int) uint32 {
	switch {
	case c.wide != nil:
		return c.wide[i]
	case c.narrow != nil:
		return uint32(c.narrow[i])
	}
	return 0
}

// put sets a number that was not set before.
func (c *column) put(i int, n uint32) {
	switch {
	case c.wide != nil:
		c.wide[i] = n
	case n > 1<<16-1:
		c.widen()
		c.wide[i] = n
	case c.narrow != nil:
		c.narrow[i] = uint16(n)
	case n != 0:
		c.narrow = new([chunkSize]uint16)
		c.narrow[i] = uint16(n)
	}
}

func (c *column) widen() {
	c.wide = new([chunkSize]uint32)
	if c.narrow != nil {
		for i, n := range c.narrow {
			c.wide[i] = uint32(n)
		}
		c.narrow = nil
	}
}
