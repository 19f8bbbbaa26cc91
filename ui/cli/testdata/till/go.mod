module till

go 1.26
