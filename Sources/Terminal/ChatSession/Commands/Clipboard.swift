internal import Foundation
internal import TerminalText

/// The ways to the clipboard: the terminal (OSC 52), or a program where the terminal is known not to take that.
package struct Clipboard: Hashable, Sendable {
  /// A program that takes a text from its standard input.
  struct Program: Hashable, Sendable {
    var name: String
    var arguments: [String] = []
  }

  /// The name of the way by the terminal.
  static let terminalName = "the terminal (OSC 52)"

  /// The program that is used; `nil` for the terminal.
  let program: Program?

  /// The terminal.
  package static let terminal = Clipboard(program: nil)

  private init(program: Program?) { self.program = program }

  /// Chooses a way by the environment.
  ///
  /// Over ssh the terminal alone reaches the clipboard of who sits there. tmux leaves out what programs in it send, unless it is
  /// set to take it (`set-clipboard on`), and passes on what it is asked to by its command. Of others it is known that they
  /// do not take it: VTE (GNOME Terminal and its kin), macOS's Terminal, the console.
  ///
  /// - Parameter isThere: Whether a program is there; by default it is looked for in `PATH`.
  package init(environment: [String: String], isThere: ((String) -> Bool)? = nil) {
    let isThere = isThere ?? { Self.isExecutable($0, in: environment["PATH"] ?? "") }
    func has(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    let isDeaf =
      has("VTE_VERSION") || environment["TERM_PROGRAM"] == "Apple_Terminal" || environment["TERM"] == "linux"
    var programs: [Program] = []
    if has("TMUX") { programs.append(Program(name: "tmux", arguments: ["load-buffer", "-w", "-"])) }
    if isDeaf, !has("TMUX"), !has("SSH_CONNECTION"), !has("SSH_TTY") {
      #if os(macOS)
        programs.append(Program(name: "pbcopy"))
      #endif
      if has("WAYLAND_DISPLAY") { programs.append(Program(name: "wl-copy")) }
      if has("DISPLAY") { programs.append(Program(name: "xclip", arguments: ["-selection", "clipboard"])) }
    }
    program = programs.first { isThere($0.name) }
  }

  private static func isExecutable(_ name: String, in path: String) -> Bool {
    path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  /// Returns the sentence on a text that was copied.
  static func sentence(on text: String, by name: String) -> String {
    "copied \(NumberText.counted(text.count, "character")) · \(name)"
  }
}

extension Session {
  /// Puts a text into the clipboard, and says which way it went; a script prints it.
  func copying(_ text: String) -> Effects {
    guard let program = context.clipboard.program, reader.traits.isAttended else {
      return Effects(.clipboard(text))
    }
    let job = Job(.opening) { report, isCancelled in
      let command = ([program.name] + program.arguments).joined(separator: " ")
      // Those that serve the clipboard stay behind, and must not hold the output open.
      let pipe = try CommandPipe("\(command) >/dev/null 2>&1")
      try? pipe.write(Array(text.utf8), isCancelled: isCancelled)
      let status = pipe.finish(isCancelled: isCancelled).status
      guard status == 0 else {
        throw UsageError(
          "\(program.name) could not copy it", cause: "it ended with status \(status)", remedy: "/export FILE"
        )
      }
      report(.done(Clipboard.sentence(on: text, by: program.name)))
    }
    return Effects(jobs: [job])
  }
}
