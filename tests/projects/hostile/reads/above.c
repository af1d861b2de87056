#include "../../../home/.ssh/id_secret"
