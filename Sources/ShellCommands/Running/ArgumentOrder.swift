/// Lets the options that mean the same everywhere stand before the subcommand too: `scrollback -s FILE tail`.
enum ArgumentOrder {
  private static let valued: Set<String> = [
    "-s", "--store", "-c", "--conversation", "--time-zone", "--color",
  ]
  private static let flags: Set<String> = ["-q", "--quiet", "--all"]

  /// Returns the arguments with the subcommand first, if common options and then the name of one begin them.
  static func normalized(_ arguments: [String], subcommands: Set<String>) -> [String] {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if valued.contains(argument) {
        index += 2
      } else if flags.contains(argument) || valued.contains(where: { argument.hasPrefix("\($0)=") }) {
        index += 1
      } else {
        break
      }
    }
    guard index > 0, index < arguments.count, subcommands.contains(arguments[index]) else { return arguments }
    // Behind all else, so that a subcommand's own (`filters save`) comes first; what follows `--` is no option.
    let rest = arguments[(index + 1)...]
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return [arguments[index]] + rest[..<end] + arguments[..<index] + rest[end...]
  }
}
