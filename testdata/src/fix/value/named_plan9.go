package value

func held(by string) bool { return by == porter }
