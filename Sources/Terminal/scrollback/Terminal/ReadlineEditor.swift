internal import CReadline
internal import ChatSession
internal import Foundation
internal import MessageModel

/// The typed line, edited by GNU readline. Readline is a singleton, and its callbacks carry no context: they
/// queue ``events`` for the loop.
@MainActor
final class ReadlineEditor: LineInput {
  private static var current: ReadlineEditor?

  private var events: [InputEvent] = []
  private var clicks = Clicks()
  private let names: (Completion.Names) -> [String]
  private let history: String?
  var onLine: ((String) -> Void)?
  var remembersLines = true
  var lineUse = Completion.Line.message
  private(set) var escapeEnd: ContinuousClock.Instant?

  /// Shows the prompt in the cursor's row. Throws ``UsageError`` without GNU readline 8.2 or later.
  init(
    prompt: String, mode: creadline_mode = CREADLINE_ONE_ROW, history: String?,
    names: @escaping (Completion.Names) -> [String]
  ) throws(UsageError) {
    if let problem = creadline_problem() {
      throw UsageError("cannot edit lines", cause: String(cString: problem))
    }
    self.names = names
    self.history = history
    Self.current = self
    creadline_prepare("scrollback") { slot, count in
      MainActor.assumeIsolated { ReadlineEditor.current?.pressed(Int(slot), Int(count)) }
    }
    creadline_on_click { row, column in
      MainActor.assumeIsolated { ReadlineEditor.current?.clicked(Int(row), Int(column)) }
    }
    ReadlineKeys.bind()
    if let history { creadline_read_history(history) }
    creadline_start(prompt, mode, Self.handler, Self.onCompletion, Self.onMatches)
  }

  func stop(keepsHistory: Bool) {
    creadline_stop()
    Self.current = nil
    if keepsHistory, let history { _ = creadline_write_history(history, 10_000) }
  }

  func feed(_ bytes: [UInt8]) { creadline_feed(bytes, Int32(clamping: bytes.count)) }
  var hasInput: Bool { creadline_has_input() }

  func read() -> [InputEvent] {
    creadline_read_char()
    let wait = creadline_escape_wait()
    escapeEnd = wait < 0 ? nil : .now + .milliseconds(Int(wait))
    defer { events = [] }
    return events
  }

  func endEscape() {
    escapeEnd = nil
    creadline_end_escape()
  }

  var line: String { String(cString: creadline_line()) }

  func replaceLine(with line: String) {
    creadline_set_line(line)
    creadline_redraw()
  }

  func lendArrows(_ use: ArrowUse) { ReadlineKeys.lendArrows(use) }
  func discard() { creadline_discard_line() }
  func keepDraft() { if !line.isEmpty { creadline_add_history(line) } }
  func redraw() { creadline_redraw() }
  func suspend() { creadline_suspend() }
  func resume() { creadline_resume() }

  private static let handler: creadline_line_handler = { pointer in
    let line = pointer.map { String(cString: $0) }
    free(pointer)
    MainActor.assumeIsolated { current?.finished(line) }
  }

  private static let onCompletion: creadline_completer = { word, start, end in
    let words = MainActor.assumeIsolated { current?.candidates(Int(start), Int(end)) ?? [] }
    return matches(words, of: word.map { String(cString: $0) } ?? "")
  }

  private static let onMatches: creadline_lister = { pointer, count in
    guard let pointer, count > 0 else { return }
    let words = (1...Int(count)).compactMap { pointer[$0].map { String(cString: $0) } }
    MainActor.assumeIsolated { current?.events.append(.session(.completions(words))) }
  }

  /// The array that readline expects: the common prefix (the word itself if that is not part of it: nothing typed
  /// is lost), then the words if there are several.
  private nonisolated static func matches(
    _ words: [String], of word: String
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    guard let first = words.first else { return nil }
    let common = words.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    let all = [words.count == 1 || common.hasPrefix(word) ? common : word] + (words.count > 1 ? words : [])
    guard let memory = calloc(all.count + 1, MemoryLayout<UnsafeMutablePointer<CChar>?>.stride) else {
      return nil
    }
    let array = memory.bindMemory(to: UnsafeMutablePointer<CChar>?.self, capacity: all.count + 1)
    for (index, word) in all.enumerated() { array[index] = strdup(word) }
    return array
  }

  private func finished(_ line: String?) {
    guard let line else {
      // The line has text only if the terminal is gone.
      keepDraft()
      events.append(.endOfInput(InputEnd(readingEndedWith: creadline_read_error())))
      // Readline would show the prompt once more.
      if onLine != nil { creadline_set_prompt("") }
      return
    }
    if !line.isEmpty, remembersLines || line.hasPrefix("/") { creadline_add_history(line) }
    if let onLine { onLine(line) } else { events.append(.session(.line(line))) }
  }

  private func pressed(_ slot: Int, _ count: Int) {
    guard let (action, count) = ReadlineKeys.action(slot: slot, count: count) else { return }
    switch action {
    case .view(let key): events.append(.session(.key(key, count: count)))
    case .editor: events.append(.editor)
    case .newline: creadline_insert("\n")
    case .begin(let beginning): creadline_begin_line(beginning)
    }
  }

  private func clicked(_ row: Int, _ column: Int) {
    events.append(.session(.click(clicks.next(MouseClick(row: row - 1, column: column - 1)))))
  }

  private func candidates(_ start: Int, _ end: Int) -> [String] {
    let words = Completion.candidates(
      in: String(cString: creadline_line()), start: start, end: end, use: lineUse, names: names)
    creadline_set_append_space(!words.contains { $0.hasSuffix("/") || $0.hasSuffix(":") })
    return words
  }
}

enum ReadlineKeys {
  static let functions = KeyFunction.all

  /// Defines the functions and binds their keys, before the inputrc is read.
  static func bind() {
    for (slot, function) in functions.enumerated() {
      creadline_define(Int32(slot), function.name)
      for key in function.keys { creadline_bind(key, Int32(slot), true) }
      for key in function.emacsKeys { creadline_bind(key, Int32(slot), false) }
      for key in function.normalKeys { creadline_bind_in_normal_mode(Int32(key), Int32(slot)) }
    }
    creadline_bind_escape_in_vi()
    creadline_define(Int32(CREADLINE_WHEEL_SLOT), KeyFunction.mouseName)
    creadline_bind("\\e[<", Int32(CREADLINE_WHEEL_SLOT), true)
    creadline_bind_late_answers()
  }

  static func lendArrows(_ use: ArrowUse) {
    for (arrow, key) in [use.up, use.down, use.right, use.left].enumerated() {
      let slot = key.flatMap { key in functions.firstIndex { $0.action == .view(key) } }
      creadline_lend_arrow(Int32(arrow), Int32(slot ?? -1))
    }
  }

  static func action(slot: Int, count: Int) -> (action: KeyFunction.Action, count: Int)? {
    if slot == CREADLINE_WHEEL_SLOT {
      return (.view(count > 0 ? .rowsOlder : .rowsNewer), 1)
    }
    if slot == CREADLINE_ESCAPE_SLOT { return (.view(.escape), 1) }
    return functions.indices.contains(slot) ? (functions[slot].action, max(1, count)) : nil
  }
}

@MainActor
enum ExternalEditor {
  /// Opens a text in `$VISUAL` or `$EDITOR`, in this terminal, and waits. Returns the saved text without
  /// trailing line ends; `nil` if no file could be created.
  static func edit(_ text: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let program = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scrollback-\(UUID().uuidString).txt")
    let made = FileManager.default.createFile(
      atPath: file.path, contents: Data((text + "\n").utf8), attributes: [.posixPermissions: 0o600])
    guard made else {
      creadline_bell()
      return nil
    }
    defer { try? FileManager.default.removeItem(at: file) }
    _ = creadline_run_editor(program, file.path)
    guard let data = try? Data(contentsOf: file) else { return nil }
    var saved = String(decoding: data, as: UTF8.self)
    while saved.hasSuffix("\n") { saved.removeLast() }
    return saved
  }
}
