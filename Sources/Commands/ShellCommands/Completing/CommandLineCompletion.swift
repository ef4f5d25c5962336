/// Finds what may stand at the end of a command line, by what ArgumentParser tells of the commands.
///
/// The scripts of the shells know nothing but to ask: what stands where is decided here, once for all of them, with the rules
/// by which command lines are read (``ArgumentOrder``: options before the command, a command that may be left out).
struct CommandLineCompletion {
  typealias Argument = CommandDescription.Argument

  /// The program with all its commands.
  let program: CommandDescription
  /// Looks up the values of an argument: by the names of the commands that lead to it, and its own.
  let values: (_ commands: [String], _ argument: String) -> [String]

  /// The state of reading a command line.
  private struct Reading {
    var command: CommandDescription
    var path: [String] = []
    /// The option whose value comes next.
    var pending: Argument?
    var given: Set<String> = []
    var positionalCount = 0
    /// Whether `--` was read, behind which nothing is an option.
    var hasOnlyValues = false
  }

  /// Returns what may stand in the place of a word that is not whole yet, whether or not it begins as that does.
  ///
  /// - Parameters:
  ///   - words: What stands before it, without the name of the program.
  ///   - word: What there is of it.
  func answer(behind words: [String], _ word: String) -> CompletionAnswer {
    if words.first == "help" { return .words(helped(Array(words.dropFirst()))) }
    var reading = Reading(command: program)
    for word in words { read(word, &reading) }
    if let option = reading.pending { return answer(for: option, named: name(of: option), reading) }
    if word.hasPrefix("-"), !reading.hasOnlyValues { return options(beginning: word, reading) }
    return positionals(beginning: word, reading)
  }

  // MARK: What was read

  private func read(_ word: String, _ reading: inout Reading) {
    if reading.pending != nil {
      reading.pending = nil
    } else if reading.hasOnlyValues {
      reading.positionalCount += 1
    } else if word == "--" {
      reading.hasOnlyValues = true
    } else if word.hasPrefix("-"), word != "-" {
      readOption(word, &reading)
    } else if reading.positionalCount == 0, let command = reading.command.subcommand(word) {
      reading.path.append(word)
      reading.command = command
    } else {
      leaveOutCommand(&reading)
      reading.positionalCount += 1
    }
  }

  private func readOption(_ word: String, _ reading: inout Reading) {
    // Only options that all commands have may stand before the command.
    if !(reading.path.isEmpty && ArgumentOrder.isCommon(word)) { leaveOutCommand(&reading) }
    guard let option = option(word, in: reading) else { return }
    reading.given.formUnion(option.writtenNames)
    if option.takesValue, option.writtenNames.contains(word) { reading.pending = option }
  }

  /// Goes on as if the command that is meant without a name had been named.
  private func leaveOutCommand(_ reading: inout Reading) {
    guard let name = reading.command.defaultSubcommand, let command = reading.command.subcommand(name) else {
      return
    }
    reading.path.append(name)
    reading.command = command
  }

  /// The options and arguments that there are: those of the command that is meant without a name, as long as none is named.
  private func arguments(_ reading: Reading) -> [Argument] {
    let meant = reading.command.subcommand(reading.command.defaultSubcommand) ?? reading.command
    return (meant.arguments ?? []).filter(\.shouldDisplay)
  }

  /// Returns the option that a word gives, alone or with its value: `-c`, `--store=FILE`, `-cgeneral`.
  private func option(_ word: String, in reading: Reading) -> Argument? {
    let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
    return arguments(reading).first { $0.writtenNames.contains(name) }
  }

  // MARK: What may follow

  private func options(beginning word: String, _ reading: Reading) -> CompletionAnswer {
    if let option = option(word, in: reading), option.takesValue, !option.writtenNames.contains(word) {
      let beginning = word.hasPrefix("--") ? word.prefix { $0 != "=" } + "=" : word.prefix(2)
      guard word.hasPrefix(beginning) else { return .words([]) }
      return answer(for: option, named: name(of: option), reading, behind: String(beginning))
    }
    let open = arguments(reading).filter {
      $0.isRepeating || reading.given.isDisjoint(with: $0.writtenNames)
    }
    return .words(
      open.flatMap { option in
        option.writtenNames.filter { $0.hasPrefix(word) }.map {
          .init(text: $0, summary: option.abstract ?? "")
        }
      })
  }

  private func positionals(beginning word: String, _ reading: Reading) -> CompletionAnswer {
    if reading.positionalCount == 0, !reading.hasOnlyValues, let commands = reading.command.subcommands {
      let words = commands.map { CompletionAnswer.Word(text: $0.commandName, summary: $0.abstract ?? "") }
      if words.contains(where: { $0.text.hasPrefix(word) }) { return .words(words) }
    }
    var reading = reading
    leaveOutCommand(&reading)
    let arguments = arguments(reading).filter { $0.writtenNames.isEmpty }
    let place = min(reading.positionalCount, arguments.count - 1)
    guard place >= 0, place == reading.positionalCount || arguments[place].isRepeating else {
      return .words([])
    }
    let answer = answer(for: arguments[place], named: "positional@\(place)", reading)
    guard case .words(let words) = answer, !reading.hasOnlyValues else { return answer }
    // It would be read as an option.
    return .words(words.filter { !$0.text.hasPrefix("-") })
  }

  /// The commands that help is there for.
  private func helped(_ words: [String]) -> [CompletionAnswer.Word] {
    let command = words.reduce(program as CommandDescription?) { $0?.subcommand($1) }
    return (command?.subcommands ?? []).map { .init(text: $0.commandName, summary: $0.abstract ?? "") }
  }

  /// Returns the name by which ArgumentParser finds an option.
  private func name(of option: Argument) -> String {
    option.writtenNames.first { $0.hasPrefix("--") } ?? option.writtenNames.first ?? ""
  }

  private func answer(
    for argument: Argument, named name: String, _ reading: Reading, behind beginning: String = ""
  ) -> CompletionAnswer {
    switch argument.completionKind {
    case .list(let values): return .words(values.map { .init(text: beginning + $0) })
    case .file: return .files
    case .directory: return .folders
    case .custom:
      // Named at last, it has the arguments that were offered.
      var reading = reading
      leaveOutCommand(&reading)
      return .words(values(reading.path, name).map { .init(text: beginning + $0) })
    case .customAsync, .shellCommand, nil: return .words([])
    }
  }
}
