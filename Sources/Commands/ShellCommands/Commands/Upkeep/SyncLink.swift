internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage

/// The link to another computer's store: a remote shell runs the steps, rsync copies the files.
struct SyncLink {
  private let shell: Shell
  private let remoteShell: String
  private let program: String
  private let host: String
  /// Whether the host is an IPv6 address, which rsync wants in brackets.
  private let isAddress: Bool
  private let store: String?

  /// `place` is `host`, `host:store`, `user@host` or `[::1]:store`, as in rsync; `remoteShell` a command and
  /// its options, separated by spaces.
  init(to place: String, by remoteShell: String, program: String, in shell: Shell) throws(UsageError) {
    // ssh and rsync would read a host name with a leading dash as an option.
    guard let (host, store, isAddress) = Self.parted(place), !host.isEmpty, !host.hasPrefix("-"),
      !host.contains(where: { $0.isWhitespace || "/[]".contains($0) }),
      !remoteShell.allSatisfy(\.isWhitespace)
    else {
      throw UsageError(
        "cannot sync with '\(VisibleText.of(place))'", cause: "it names no other computer",
        remedy: .words("HOST, or HOST:STORE"))
    }
    (self.host, self.remoteShell, self.program, self.shell) = (host, remoteShell, program, shell)
    (self.isAddress, self.store) = (isAddress, store.isEmpty ? nil : store)
  }

  /// Splits a place into host, without brackets, and store; `nil` if a bracket is not closed.
  private static func parted(_ place: String) -> (host: String, store: String, isAddress: Bool)? {
    let user = place.prefix { $0 != "@" && $0 != "[" && $0 != ":" }
    var rest = place.dropFirst(user.count)
    var before = String(user)
    if rest.first == "@" {
      before += "@"
      rest = rest.dropFirst()
    }
    guard rest.first == "[", before.isEmpty || before.hasSuffix("@") else {
      let parts = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "", false)
    }
    guard let close = rest.firstIndex(of: "]") else { return nil }
    let (address, behind) = (rest[..<close].dropFirst(), rest[close...].dropFirst())
    guard !address.isEmpty, behind.isEmpty || behind.first == ":" else { return nil }
    return (before + address, String(behind.dropFirst()), true)
  }

  func ask(_ step: SyncPeer.Step, expecting mark: String? = nil) throws -> SyncPeer.Answer {
    var command = [program, "sync", "--answer", step.rawValue]
    if let mark { command.append("--expecting=\(mark)") }
    if let store { command.append("--store=\(store)") }
    // The command requires a host name; for the other computer, the store is local.
    command += ["--", "localhost"]
    let line = command.map(Self.quoted).joined(separator: " ")
    let data = try run { try Tool.answer(shellWords + [host, line], in: shell) }
    guard let answer = try? JSONDecoder().decode(SyncPeer.Answer.self, from: data),
      answer.version == SyncPeer.version, answer.path.hasPrefix("/")
    else {
      throw UsageError(
        "cannot sync with '\(VisibleText.of(host))'",
        cause: "its scrollback is of another version",
        remedy: .words("the same version on both"), status: .unreadableInput)
    }
    return answer
  }

  /// Replaces the local store with the remote one; returns the number of messages.
  func fetch(into own: SyncPeer, _ here: SyncPeer.Answer) throws -> Int {
    let (source, stage) = (try ask(.prepare), try own.carryOut(.receive).stage ?? "")
    defer { _ = try? own.carryOut(.discard) }
    let name = StageFolder.storeName
    try copy(from: remote("\(source.stage ?? "")/\(name)"), to: "\(stage)/\(name)", Self.differences)
    if source.hasAttachments == true {
      try copy(
        from: remote(source.attachments + "/"), to: "\(stage)/\(StageFolder.attachmentsName)/",
        Self.contents(knownIn: here.hasAttachments == true ? here.attachments : nil))
    }
    let done = try own.carryOut(.replace, expecting: here.mark)
    _ = try ask(.discard)
    return done.state?.messages ?? 0
  }

  /// Replaces the remote store with the local one; returns the number of messages.
  func send(_ own: SyncPeer, replacing there: SyncPeer.Answer) throws -> Int {
    let (source, target) = (try own.carryOut(.prepare), try ask(.receive))
    defer { _ = try? own.carryOut(.discard) }
    let (name, stage) = (StageFolder.storeName, target.stage ?? "")
    try copy(from: "\(source.stage ?? "")/\(name)", to: remote("\(stage)/\(name)"), Self.differences)
    if source.hasAttachments == true {
      try copy(
        from: source.attachments + "/", to: remote("\(stage)/\(StageFolder.attachmentsName)/"),
        Self.contents(knownIn: target.hasAttachments == true ? target.attachments : nil))
    }
    return try ask(.replace, expecting: there.mark).state?.messages ?? 0
  }

  /// Sends only the blocks that differ, whatever size and time say.
  private static let differences = ["--inplace", "--no-whole-file", "--ignore-times"]

  /// Attachment files are named by checksum: equal name and size mean equal contents.
  private static func contents(knownIn folder: String?) -> [String] {
    ["--recursive", "--size-only"] + (folder.map { ["--compare-dest=\($0)"] } ?? [])
  }

  private func copy(from source: String, to target: String, _ options: [String]) throws {
    // Newer versions of rsync protect arguments by default, and the one on a Mac has no such option.
    let odd = [source, target].contains {
      !$0.allSatisfy { $0.isLetter || $0.isNumber || "/._+-@:[]".contains($0) }
    }
    let words =
      ["rsync", "--chmod=D700,F600", "-e", remoteShell] + (odd ? ["-s"] : []) + options
      + ["--", source, target]
    _ = try run { try Tool.answer(words, in: shell) }
  }

  private func remote(_ path: String) -> String {
    guard isAddress else { return "\(host):\(path)" }
    let user = host.firstIndex(of: "@").map { host[...$0] } ?? ""
    return "\(user)[\(host.dropFirst(user.count))]:\(path)"
  }

  private var shellWords: [String] { remoteShell.split(whereSeparator: \.isWhitespace).map(String.init) }

  private func run<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let failure as Tool.Failure {
      let doing = "cannot sync with '\(VisibleText.of(host))'"
      if Interruption.isAskedFor { throw StoreError(.cancelled, doing, cause: "stopped on request") }
      throw UsageError(
        doing, cause: failure.complaint,
        remedy: failure.isNotFound ? .words("--program PATH, where scrollback is there") : nil,
        status: .inputOutput)
    }
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/._+-=@".contains($0) }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
