/// Allows common options before the subcommand: `scrollback -s FILE tail`.
enum ArgumentOrder {
  private static let valued: Set<String> = [
    "-s", "--store", "-c", "--conversation", "--time-zone", "--color",
  ]
  private static let flags: Set<String> = ["-q", "--quiet", "--all"]

  /// Moves common options that stand before a subcommand behind it.
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
    // Behind the rest, so that a nested subcommand (`filters save`) comes first; but before `--`.
    let rest = arguments[(index + 1)...]
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return withCount([arguments[index]] + rest[..<end] + arguments[..<index] + rest[end...])
  }

  static func isCommon(_ argument: String) -> Bool {
    valued.contains(argument) || flags.contains(argument) || hasValue(argument)
  }

  /// Whether an argument is a common option joined with its value: `--store=FILE`, `-cgeneral`.
  private static func hasValue(_ argument: String) -> Bool {
    valued.contains { option in
      option.hasPrefix("--")
        ? argument.hasPrefix("\(option)=") : argument.hasPrefix(option) && !argument.hasPrefix("--")
    }
  }

  /// Turns `tail -5` into `tail -n 5` unless the number is an option's value.
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

  private static func isCount(_ argument: String) -> Bool {
    argument.hasPrefix("-") && argument.count > 1
      && argument.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
}
