module example.com/outward

go 1.26
