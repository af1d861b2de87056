"""Java on the device: class files to an image that the virtual machine in `runtime/java` runs."""
