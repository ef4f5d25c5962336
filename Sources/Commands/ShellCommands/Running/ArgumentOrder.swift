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
      } else if isCommon(argument) {
        index += 1
      } else {
        break
      }
    }
    guard index > 0, index < arguments.count, subcommands.contains(arguments[index]) else {
      return withCount(arguments)
    }
    // Behind all else, so that a subcommand's own (`filters save`) comes first; what follows `--` is no option.
    let rest = arguments[(index + 1)...]
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return withCount([arguments[index]] + rest[..<end] + arguments[..<index] + rest[end...])
  }

  /// Whether an argument is an option that may stand before the command, with or without its value.
  static func isCommon(_ argument: String) -> Bool {
    valued.contains(argument) || flags.contains(argument) || hasValue(argument)
  }

  /// Whether an argument is a common option together with its value: `--store=FILE`, `-cgeneral`.
  private static func hasValue(_ argument: String) -> Bool {
    valued.contains { option in
      option.hasPrefix("--")
        ? argument.hasPrefix("\(option)=") : argument.hasPrefix(option) && !argument.hasPrefix("--")
    }
  }

  /// Returns the arguments with `tail -5` as `tail -n 5`, where the number is no option's value.
  private static func withCount(_ arguments: [String]) -> [String] {
    guard arguments.first == "tail" else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let place = arguments[..<end].indices.dropFirst().first { index in
      let before = arguments[index - 1]
      return isCount(arguments[index]) && (!before.hasPrefix("-") || tailFlags.contains(before))
    }
    guard let place else { return arguments }
    return arguments[..<place] + ["-n", String(arguments[place].dropFirst())] + arguments[(place + 1)...]
  }

  private static let tailFlags = flags.union([
    "-f", "--follow", "--json", "--text-only", "--oldest-first", "--newest-first",
  ])

  /// Whether an argument is a minus sign and digits.
  private static func isCount(_ argument: String) -> Bool {
    argument.hasPrefix("-") && argument.count > 1
      && argument.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
}
