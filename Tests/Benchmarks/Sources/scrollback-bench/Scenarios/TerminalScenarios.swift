import Foundation
import MessageModel
import MessageStorage
import TerminalText
import TestSupport

/// The history on a screen: from the start of the program to the first of it, and to a message far up, against the
/// pagers that people read logs with. All run in a pseudo-terminal of 24 rows.
struct TerminalScenarios {
  let setting: Setting
  private let store: SynchronousMessageStore
  private let conversation: Conversation
  /// What the pagers read; `nil` of a vast history.
  private let log: Log?

  /// The history as text, what its newest message begins with, and a line in the middle.
  private struct Log {
    var path: String
    var ending: String
    var middle: Line
  }

  /// A line of the history as text.
  private struct Line {
    var number: Int
    /// What it begins with, as far as that is ASCII and a screen of 80 columns surely shows it.
    var beginning: String
    /// Its date and time.
    var time: String
    /// What the message begins with, as far as that is ASCII.
    var words: String

    init(_ number: Int, _ line: some StringProtocol) {
      self.number = number
      beginning = line.prefix { $0.isASCII }.prefix(40).trimmingCharacters(in: .whitespaces)
      time = String(line.prefix(19))
      words =
        line.components(separatedBy: "  ").dropFirst(2).first.map {
          $0.prefix { $0.isASCII }.prefix(20).trimmingCharacters(in: .whitespaces)
        } ?? ""
    }
  }

  init(setting: Setting) throws {
    self.setting = setting
    store = try SynchronousMessageStore(path: try setting.store(), options: StoreOptions(access: .readOnly))
    guard let conversation = try store.conversations().first else {
      throw StoreError(.notFound, "there is no conversation to open")
    }
    self.conversation = conversation
    log = setting.isVast ? nil : try Self.log(of: setting)
  }

  private static func log(of setting: Setting) throws -> Log {
    let text = try setting.text()
    let ending = try lines("$p", of: text, in: setting).first.map { Line(0, $0).beginning } ?? ""
    let first = max(setting.size / 2, 1)
    let lines = try lines("\(first),\(first + 100)p;\(first + 100)q", of: text, in: setting)
    guard
      let middle = lines.enumerated().lazy.map({ Line(first + $0.offset, $0.element) }).first(where: {
        $0.words.count > 8
      })
    else { throw StoreError(.notFound, "there is no plain line in the middle") }
    return Log(path: text, ending: ending, middle: middle)
  }

  func run() throws -> [Finding] {
    if less == nil { print(toStandardError: "start and jump: less is not installed") }
    return [try firstScreen(), try jumpToNumber()] + (try wholeLogKnown())
  }

  private let less = Program.installed("less")

  // MARK: What is measured

  private func firstScreen() throws -> Finding {
    let (ours, theirs) = try turns(setting.depth.times(11)) { ours, theirs in
      try leave(try ours.time { try scrollback() })
      if let less, let log {
        let other = try theirs.time { try pager(less, ["+G"], log) }
        other.signal(SIGKILL)
      }
    }
    return Finding(
      name: "start to the newest on screen", ours: ours, baseline: baseline("less +G", theirs))
  }

  private func jumpToNumber() throws -> Finding {
    let (ours, theirs) = try turns(setting.depth.times(setting.isSpared(from: 1_000_000) ? 5 : 7)) {
      ours, theirs in
      let terminal = try scrollback()
      try ours.time {
        try terminal.type("/goto \(conversation.messageCount / 2)\r")
        try terminal.wait(for: "the middle") { $0.contains(Self.position(conversation.messageCount / 2)) }
      }
      try leave(terminal)
      guard let less, let log else { return }
      let other = try pager(less, ["+G"], log)
      try theirs.time {
        try other.type("\(log.middle.number)g")
        try other.wait(for: "line \(log.middle.number)") { $0.contains(log.middle.beginning) }
      }
    }
    return Finding(
      name: "jump to a message number in the middle", ours: ours, baseline: baseline("less", theirs))
  }

  /// What less took; `nil` where it is not installed or has nothing to read.
  private func baseline(_ name: String, _ measurement: Measurement) -> (String, Measurement)? {
    less == nil || log == nil ? nil : (name, measurement)
  }

  /// lnav has read and indexed the whole log before its first screen stands still; after that it is told a date.
  private func wholeLogKnown() throws -> [Finding] {
    guard let log, setting.size <= 1_000_000 || setting.size == 10_000_000 else { return [] }
    guard let lnav = Program.installed("lnav") else {
      print(toStandardError: "start with the whole log known: lnav is not installed")
      return []
    }
    var (jump, theirJump) = (Measurement(), Measurement())
    let (ours, theirs) = try turns(setting.depth.times(5)) { ours, theirs in
      let terminal = try ours.time { try scrollback() }
      try jump.time { try go(terminal, "/goto \(log.middle.time)\r", to: log.middle) }
      try leave(terminal)
      let other = try theirs.time { try pager(lnav, ["-N"], log) }
      try theirJump.time { try go(other, ":goto \(log.middle.time)\r", to: log.middle) }
    }
    return [
      Finding(
        name: "start to the newest on screen, whole log known", ours: ours, baseline: ("lnav", theirs)),
      Finding(name: "jump to a date in the middle", ours: jump, baseline: ("lnav", theirJump)),
    ]
  }

  /// Types a command that leads to the message in the middle.
  private func go(_ terminal: PseudoTerminal, _ command: String, to middle: Line) throws {
    try terminal.type(command)
    try terminal.wait(for: "the message in the middle") { $0.contains(middle.words) }
  }

  // MARK: Programs on their screens

  private func scrollback() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      running: setting.scrollback, ["open", "--bottom", "--store", setting.store(), "-c", conversation.name],
      environment: environment)
    try terminal.wait(for: "the newest message") { $0.contains(Self.position(conversation.messageCount)) }
    return terminal
  }

  private func pager(_ path: String, _ arguments: [String], _ log: Log) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(running: path, arguments + [log.path], environment: environment)
    try terminal.wait(for: "the last line") { $0.contains(log.ending) }
    return terminal
  }

  /// Ends a program as its user would, so that the next one need not do it: a store whose process was killed has its
  /// log read again.
  private func leave(_ terminal: PseudoTerminal) throws {
    terminal.signal(SIGTERM)
    _ = terminal.waitForExit()
  }

  private var environment: [String: String] {
    ["HOME": setting.folder.path, "XDG_STATE_HOME": setting.folder.path, "LESSHISTFILE": "-"]
  }

  /// How the status line tells a message number.
  static func position(_ number: Int) -> String {
    NumberText.grouped(number) + " of"
  }

  private func turns(
    _ count: Int, _ body: (inout Measurement, inout Measurement) throws -> Void
  ) throws -> (Measurement, Measurement) {
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<count { try body(&ours, &theirs) }
    return (ours, theirs)
  }

  /// Returns the lines of the text that a script for `sed -n` prints.
  private static func lines(_ script: String, of text: String, in setting: Setting) throws -> [Substring] {
    var sed = Program("/usr/bin/env", "sed", "-n", script, text)
    sed.output = setting.path("line.txt")
    try sed.run()
    return try String(contentsOfFile: sed.output, encoding: .utf8).split(separator: "\n")
  }
}
