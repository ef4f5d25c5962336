internal import ArgumentParser

/// The option for answers that programs read (docs/json.md).
struct JSONOption: ParsableArguments {
  @Flag(help: "Print JSON, an object a line.")
  var json = false
}
