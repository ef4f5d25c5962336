/// Completes command lines from ArgumentParser's description of the commands. The shells' scripts only ask;
/// every rule is here, in step with how command lines are parsed (``ArgumentOrder``: options before the
/// command, a default command).
struct CommandLineCompletion {
  typealias Argument = CommandDescription.Argument

  let program: CommandDescription
  let values: (_ commands: [String], _ argument: String) -> [String]

  private struct Reading {
    var command: CommandDescription
    var path: [String] = []
    /// The option whose value comes next.
    var pending: Argument?
    var given: Set<String> = []
    var positionalCount = 0
    /// Whether `--` was read: only values follow.
    var hasOnlyValues = false
  }

  /// Returns the candidates for an incomplete word, whether or not they begin with it; `words` stand before
  /// it, without the program's name.
  func answer(behind words: [String], _ word: String) -> CompletionAnswer {
    if words.first == "help" { return .words(helped(Array(words.dropFirst()))) }
    var reading = Reading(command: program)
    for word in words { read(word, &reading) }
    if let option = reading.pending { return answer(for: option, named: name(of: option), reading) }
    if word.hasPrefix("-"), !reading.hasOnlyValues { return options(beginning: word, reading) }
    return positionals(beginning: word, reading)
  }

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
    // Only common options may stand before the command.
    if !(reading.path.isEmpty && ArgumentOrder.isCommon(word)) { leaveOutCommand(&reading) }
    guard let option = option(word, in: reading) else { return }
    reading.given.formUnion(option.writtenNames)
    if option.takesValue, option.writtenNames.contains(word) { reading.pending = option }
  }

  /// Continues as if the default command had been typed.
  private func leaveOutCommand(_ reading: inout Reading) {
    guard let name = reading.command.defaultSubcommand, let command = reading.command.subcommand(name) else {
      return
    }
    reading.path.append(name)
    reading.command = command
  }

  /// The arguments in effect: those of the default command until another is named.
  private func arguments(_ reading: Reading) -> [Argument] {
    let meant = reading.command.subcommand(reading.command.defaultSubcommand) ?? reading.command
    return (meant.arguments ?? []).filter(\.shouldDisplay)
  }

  /// Returns the option of a word like `-c`, `--store=FILE` or `-cgeneral`.
  private func option(_ word: String, in reading: Reading) -> Argument? {
    let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
    return arguments(reading).first { $0.writtenNames.contains(name) }
  }

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
    // A word with a leading dash would be read as an option.
    return .words(words.filter { !$0.text.hasPrefix("-") })
  }

  private func helped(_ words: [String]) -> [CompletionAnswer.Word] {
    let command = words.reduce(program as CommandDescription?) { $0?.subcommand($1) }
    return (command?.subcommands ?? []).map { .init(text: $0.commandName, summary: $0.abstract ?? "") }
  }

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
      // The named default command has the arguments that were offered without its name.
      var reading = reading
      leaveOutCommand(&reading)
      return .words(values(reading.path, name).map { .init(text: beginning + $0) })
    case .customAsync, .shellCommand, nil: return .words([])
    }
  }
}

enum CompletionAnswer: Equatable {
  case words([Word])
  /// A file path, which the shell completes.
  case files
  /// A folder path, which the shell completes.
  case folders

  /// A word as the program must receive it: the shell's script quotes it.
  struct Word: Equatable {
    var text: String
    var summary = ""
  }

  /// The kind as scripts read it, on the first line of output.
  var kind: String {
    switch self {
    case .words: "words"
    case .files: "files"
    case .folders: "folders"
    }
  }

  var words: [Word] {
    switch self {
    case .words(let words): words
    case .files, .folders: []
    }
  }
}
