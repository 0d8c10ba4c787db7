package snapshot

// places numbers addresses. An allocator uses the same ones over and over, so a number takes the room of half an
// address, and tables by number need no hashing.
type places struct {
	addrs []uint64
	slots []slot // at most half full
	last  uint32
}

// slot has the address beside its number, so that looking it up touches one place in memory.
type slot struct {
	addr uint64
	n    uint32 // 0 where free: address 0 has no slot
}

func newPlaces() places { return places{addrs: []uint64{0}, slots: make([]slot, 1<<10)} }

func (p *places) begin(addr uint64) int {
	// Addresses are multiples of 512.
	h := (addr >> 9) * 0x9e3779b97f4a7c15
	return int(h>>32) & (len(p.slots) - 1)
}

func (p *places) find(addr uint64) (uint32, bool) {
	if addr == 0 {
		return 0, true
	}
	for i := p.begin(addr); ; i = (i + 1) & (len(p.slots) - 1) {
		s := &p.slots[i]
		if s.addr == addr {
			return s.n, true
		}
		if s.n == 0 {
			return 0, false
		}
	}
}

// number returns the number of an address, a new one where it has none.
func (p *places) number(addr uint64) uint32 {
	if p.addrs[p.last] == addr {
		return p.last
	}
	if n, ok := p.find(addr); ok {
		p.last = n
		return n
	}
	if 2*len(p.addrs) >= len(p.slots) {
		p.grow()
	}
	n := uint32(len(p.addrs))
	p.addrs = append(p.addrs, addr)
	p.put(n)
	p.last = n
	return n
}

func (p *places) put(n uint32) {
	i := p.begin(p.addrs[n])
	for p.slots[i].n != 0 {
		i = (i + 1) & (len(p.slots) - 1)
	}
	p.slots[i] = slot{p.addrs[n], n}
}

func (p *places) grow() {
	p.slots = make([]slot, 2*len(p.slots))
	for n := 1; n < len(p.addrs); n++ {
		p.put(uint32(n))
	}
}
