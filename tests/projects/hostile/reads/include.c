#include "@HOME@/.ssh/id_secret"
