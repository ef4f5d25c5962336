internal import MessageModel

/// The files beside the one being read, for formats that spread a history over several files.
///
/// They are found by walking once more through the path that the user gave. Standard input has none.
public final class Companions {
  private let root: String?
  private var slackWorkspaces: [[String]: SlackWorkspace] = [:]
  private var zulipRealms: [[String]: ZulipRealm] = [:]
  private var places: [String: Set<[String]>] = [:]
  private var namedFiles: [ObjectIdentifier: [[String]: any CompanionFiles]] = [:]
  var discordPackage: DiscordPackage?
  private var talkNames: [String: [[String]: String]] = [:]

  init(root: String?) { self.root = root }

  private static let bound = 64 << 20

  /// The files in a folder that messages may name. O(files), once per folder.
  func namedFiles<Files: CompanionFiles>(in folder: [String]) -> Files {
    let type = ObjectIdentifier(Files.self)
    if let known = namedFiles[type]?[folder] as? Files { return known }
    var found = Files()
    forEachFile { file in
      guard file.components.starts(with: folder) else { return }
      found.add(file.components.dropFirst(folder.count))
    }
    found.sort()
    namedFiles[type, default: [:]][folder] = found
    return found
  }

  func slackWorkspace(in folder: [String]) -> SlackWorkspace {
    if let known = slackWorkspaces[folder] { return known }
    var contents: [String: [UInt8]] = [:]
    forEach(SlackWorkspace.fileNames, in: folder) { contents[$0.name] = Self.bytes(of: $0) }
    let workspace = SlackWorkspace(contents)
    slackWorkspaces[folder] = workspace
    return workspace
  }

  func zulipRealm(in folder: [String]) -> ZulipRealm {
    if let known = zulipRealms[folder] { return known }
    var realm = ZulipRealm()
    forEach([ZulipRealm.fileName], in: folder) { realm.read($0.source) }
    zulipRealms[folder] = realm
    return realm
  }

  /// The content of a file in a folder; `nil` if it is missing or over 64 MB.
  func content(of name: String, in folder: [String]) -> [UInt8]? {
    guard has(name, in: folder) else { return nil }
    var content: [UInt8]?
    forEach([name], in: folder) { content = Self.bytes(of: $0) }
    return content
  }

  /// Reads the JSON object in a file with `read`; `nil` if the file is missing or not a JSON object.
  func fields<Result>(of name: String, in folder: [String], _ read: (JSONFields) -> Result?) -> Result? {
    content(of: name, in: folder)?.withUnsafeBytes { bytes in
      UTF8Check.isValid(bytes) ? JSONFields(bytes).flatMap(read) : nil
    }
  }

  func forEachObject(_ names: Set<String>, _ body: (InputFile, JSONFields) -> Void) {
    forEach(names, in: nil) { file in
      guard let bytes = Self.bytes(of: file) else { return }
      bytes.withUnsafeBytes { bytes in
        if UTF8Check.isValid(bytes), let fields = JSONFields(bytes) { body(file, fields) }
      }
    }
  }

  /// Returns whether a folder contains a file with a name.
  ///
  /// - Parameters:
  ///   - name: The file's name without folders.
  ///   - folder: The folder's path in parts, as in ``FormatSample/components``.
  /// - Complexity: O(files) for the first call with a name, O(1) for later ones.
  public func has(_ name: String, in folder: [String]) -> Bool {
    if let known = places[name] { return known.contains(folder) }
    var found: Set<[String]> = []
    forEach([name], in: nil) { found.insert(Array($0.components.dropLast())) }
    places[name] = found
    return found.contains(folder)
  }

  /// Like ``has(_:in:)``, but on disk checks only that one path and ignores an empty file.
  func hasBeside(_ name: String, in folder: [String]) -> Bool {
    guard let root, root != "-" else { return false }
    let path = "/" + folder.joined(separator: "/")
    guard FileSurroundings.isFolder(root), FileSurroundings.isFolder(path) else {
      return has(name, in: folder)
    }
    return FileFacts(of: "\(path)/\(name)").map { $0.byteCount > 0 } ?? false
  }

  /// The name that a program's logs give the conversation at a place. O(files), once per program.
  func talkName(_ place: [String], _ dialect: IRCDialect) -> String? {
    if let known = talkNames[dialect.name] { return known[place] }
    var found: [[String]: String] = [:]
    forEachFile { file in
      let place = TalkNames.place(of: file)
      if found[place] == nil { found[place] = TalkNames.told(in: file, dialect) }
    }
    talkNames[dialect.name] = found
    return found[place]
  }

  func forEachFile(_ body: (InputFile) -> Void) {
    guard let root, var walker = try? InputWalker([root]) else { return }
    while true {
      switch walker.next() {
      case .end: return
      case .unreadable: continue
      case .file(let file): body(file)
      }
    }
  }

  private func forEach(_ names: Set<String>, in folder: [String]?, _ body: (InputFile) -> Void) {
    guard let root, var walker = try? InputWalker([root], only: names) else { return }
    var missing = folder == nil ? .max : names.count
    while missing > 0 {
      switch walker.next() {
      case .end: return
      case .unreadable: continue
      case .file(let file):
        guard names.contains(file.name), folder.map(file.components.dropLast().elementsEqual) ?? true else {
          continue
        }
        missing -= 1
        body(file)
      }
    }
  }

  private static func bytes(of file: InputFile) -> [UInt8]? {
    guard let bytes = try? file.source.peek(bound), bytes.count < bound else { return nil }
    return Array(bytes)
  }
}

/// Files beside an export that its messages name.
protocol CompanionFiles {
  init()

  mutating func add(_ components: ArraySlice<String>)

  mutating func sort()
}

extension CompanionFiles {
  mutating func sort() {}
}
