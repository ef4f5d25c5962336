internal import Foundation
internal import TerminalText

/// How text reaches the clipboard: through the terminal (OSC 52), or a program where the terminal does not
/// support that.
package struct Clipboard: Hashable, Sendable {
  struct Program: Hashable, Sendable {
    var name: String
    var arguments: [String] = []
  }

  static let terminalName = "the terminal (OSC 52)"

  /// `nil` for the terminal.
  let program: Program?

  package static let terminal = Clipboard(program: nil)

  private init(program: Program?) { self.program = program }

  /// Chooses by the environment.
  ///
  /// Over ssh only the terminal reaches the user's clipboard. tmux drops OSC 52 of its programs unless
  /// `set-clipboard` is on, but its own command copies. VTE (GNOME Terminal and others), macOS's Terminal and
  /// the Linux console do not support OSC 52.
  ///
  /// - Parameter isThere: Whether a program exists; by default in `PATH`.
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

  static func sentence(on text: String, by name: String) -> String {
    "copied \(NumberText.counted(text.count, "character")) · \(name)"
  }
}

extension Session {
  /// A script prints the text instead.
  func copying(_ text: String) -> Effects {
    guard let program = context.clipboard.program, reader.traits.isAttended else {
      return Effects(.clipboard(text))
    }
    let job = Job(.opening) { report, isCancelled in
      let command = ([program.name] + program.arguments).joined(separator: " ")
      // Programs that serve the clipboard keep running, and must not hold the output open.
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
