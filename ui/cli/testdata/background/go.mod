module background

go 1.26
