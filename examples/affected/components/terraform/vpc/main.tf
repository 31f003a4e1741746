variable "cidr" {}
variable "zones" {}
