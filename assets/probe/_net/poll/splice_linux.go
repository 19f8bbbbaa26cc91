package poll

// The wrappers in this file count bytes that the kernel copies between sockets through a pipe.

func spliceDrain(pipefd int, sock *FD, max int) (int, error) {
	n, err := sondeRealSpliceDrain(pipefd, sock, max)
	sock.pd.sonde.hasRead(n)
	return n, err
}

func splicePump(sock *FD, pipefd int, inPipe int) (int, error) {
	n, err := sondeRealSplicePump(sock, pipefd, inPipe)
	sock.SondeWrote(int64(n))
	return n, err
}
