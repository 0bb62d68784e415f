package lockrt
