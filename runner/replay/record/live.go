package record

// InFlight returns how many requests are in flight in the service.
func (m *Monitor) InFlight() int {
	m.requests.mu.Lock()
	defer m.requests.mu.Unlock()
	return len(m.requests.under)
}

// MaskedSecrets returns how many different secrets were masked.
func (m *Monitor) MaskedSecrets() int {
	m.masker.mu.RLock()
	defer m.masker.mu.RUnlock()
	return len(m.masker.known)
}
