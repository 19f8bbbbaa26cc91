module example.com/uses

go 1.26

require (
	example.com/required v0.0.0
	golang.org/x/net v0.0.0
)

replace (
	example.com/required => ../required
	golang.org/x/net => ../xnet
)
