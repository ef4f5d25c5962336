internal import ArgumentParser

struct JSONOption: ParsableArguments {
  @Flag(help: "Print JSON, an object a line.")
  var json = false
}
