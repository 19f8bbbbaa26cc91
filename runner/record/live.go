package record

// Under is how many requests are in the service now.
func (m *Monitor) Under() int {
	m.book.mu.Lock()
	defer m.book.mu.Unlock()
	return len(m.book.under)
}

// Masked is how many different secrets were seen and masked of late.
func (m *Monitor) Masked() int {
	m.masker.mu.RLock()
	defer m.masker.mu.RUnlock()
	return len(m.masker.known)
}
