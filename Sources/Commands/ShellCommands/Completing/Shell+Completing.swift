internal import ArgumentParser
internal import ChatSession

extension Shell {
  /// Answers a completion script; prints nothing if nothing can be completed.
  ///
  /// - Parameter request: The shell's name; then for bash the line up to the cursor, for others the words.
  func complete(_ request: [String]) -> ExitStatus {
    guard let kind = request.first.flatMap(Completions.Kind.init(rawValue:)) else { return .wrongUsage }
    let console = Console(in: self)
    let words = Array(request.dropFirst())
    switch kind {
    case .bash:
      let line = TypedLine(words.last ?? "")
      guard let answer = Self.answer(behind: Array(line.words.dropFirst()), line.last) else { break }
      console.write(answer.kind + "\n")
      console.write(answer.words.compactMap { line.rest(of: $0.text) }.map { $0 + "\n" }.joined())
    case .zsh, .fish:
      guard let answer = Self.answer(behind: words.dropLast(), words.last ?? "") else { break }
      console.write(answer.kind + "\n")
      console.write(
        answer.words.map { $0.text + ($0.summary.isEmpty ? "" : "\t" + $0.summary) + "\n" }.joined())
    }
    console.flush()
    return .done
  }

  private static func answer(behind words: [String], _ word: String) -> CompletionAnswer? {
    guard let program = try? CommandDescription.program() else { return nil }
    let completion = CommandLineCompletion(program: program) { commands, argument in
      values(of: argument, of: commands, words + [word])
    }
    return completion.answer(behind: words, word)
  }

  /// Runs a closure in ``ValueCompletions`` through ArgumentParser, as its own scripts would.
  private static func values(of argument: String, of commands: [String], _ words: [String]) -> [String] {
    do {
      _ = try Scrollback.parseAsRoot(
        ["---completion"] + commands + ["--", argument, "\(words.count - 1)", "0"] + words)
      return []
    } catch {
      guard Scrollback.exitCode(for: error).isSuccess else { return [] }
      return Scrollback.message(for: error).split(separator: "\n").map(String.init)
    }
  }
}
