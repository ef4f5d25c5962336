internal import MessageModel

/// The files beside the one that is being read, for formats that spread what belongs together over several files.
///
/// They are found by going through what the user named a second time, once; standard input cannot be read twice.
public final class Companions {
  private let root: String?
  private var slackWorkspaces: [[String]: SlackWorkspace] = [:]
  private var zulipRealms: [[String]: ZulipRealm] = [:]
  private var places: [String: Set<[String]>] = [:]
  /// The files that messages name, by their types and the folders of the exports.
  private var namedFiles: [ObjectIdentifier: [[String]: any CompanionFiles]] = [:]
  /// The channels of a package of Discord.
  var discordPackage: DiscordPackage?
  private var talkNames: [String: [[String]: String]] = [:]

  /// Creates the companions of the files in what the user named; `nil` for standard input.
  init(root: String?) { self.root = root }

  /// The largest companion that is read, in bytes.
  private static let bound = 64 << 20

  /// Returns the files in a folder that messages of a format name.
  ///
  /// - Complexity: O(files) once.
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

  /// Returns the Slack workspace whose lists of users and channels lie in a folder.
  func slackWorkspace(in folder: [String]) -> SlackWorkspace {
    if let known = slackWorkspaces[folder] { return known }
    var contents: [String: [UInt8]] = [:]
    forEach(SlackWorkspace.fileNames, in: folder) { contents[$0.name] = Self.bytes(of: $0) }
    let workspace = SlackWorkspace(contents)
    slackWorkspaces[folder] = workspace
    return workspace
  }

  /// Returns the Zulip realm that is described in a folder.
  func zulipRealm(in folder: [String]) -> ZulipRealm {
    if let known = zulipRealms[folder] { return known }
    var realm = ZulipRealm()
    forEach([ZulipRealm.fileName], in: folder) { realm.read($0.source) }
    zulipRealms[folder] = realm
    return realm
  }

  /// Returns what `read` makes of the JSON object in a file; `nil` if there is none.
  func fields<Result>(of name: String, in folder: [String], _ read: (JSONFields) -> Result?) -> Result? {
    guard has(name, in: folder) else { return nil }
    var result: Result?
    forEach([name], in: folder) { file in
      guard let bytes = Self.bytes(of: file) else { return }
      bytes.withUnsafeBytes { bytes in
        if UTF8Check.isValid(bytes) { result = JSONFields(bytes).flatMap(read) }
      }
    }
    return result
  }

  /// Calls `body` with each file of one of these names in which there is a JSON object, and with that.
  func forEachObject(_ names: Set<String>, _ body: (InputFile, JSONFields) -> Void) {
    forEach(names, in: nil) { file in
      guard let bytes = Self.bytes(of: file) else { return }
      bytes.withUnsafeBytes { bytes in
        if UTF8Check.isValid(bytes), let fields = JSONFields(bytes) { body(file, fields) }
      }
    }
  }

  /// Returns whether a file of this name lies in a folder.
  ///
  /// - Parameters:
  ///   - name: The file's own name.
  ///   - folder: The folders it lies in, as the beginning of ``FormatSample/components`` has them.
  /// - Complexity: O(files) for the first question about a name, O(1) for the others.
  public func has(_ name: String, in folder: [String]) -> Bool {
    if let known = places[name] { return known.contains(folder) }
    var found: Set<[String]> = []
    forEach([name], in: nil) { found.insert(Array($0.components.dropLast())) }
    places[name] = found
    return found.contains(folder)
  }

  /// Returns whether a file of this name lies in a folder, as ``has(_:in:)`` does. Of a folder on the disk that place alone is
  /// looked at, and an empty file is none.
  func hasBeside(_ name: String, in folder: [String]) -> Bool {
    guard let root, root != "-" else { return false }
    let path = "/" + folder.joined(separator: "/")
    guard FileSurroundings.isFolder(root), FileSurroundings.isFolder(path) else {
      return has(name, in: folder)
    }
    return FileFacts(of: "\(path)/\(name)").map { $0.byteCount > 0 } ?? false
  }

  /// Returns what logs of a program tell of the name of the conversation at a place.
  ///
  /// - Complexity: O(files) for the first question about a program, O(1) for the others.
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

  /// Calls `body` with all files.
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

  /// Calls `body` with each file that has one of these names and lies in a folder, or anywhere if that is `nil`.
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

/// The files beside an export that its messages name.
protocol CompanionFiles {
  init()

  /// Adds a file, if it is one, by its place below the folder of the export.
  mutating func add(_ components: ArraySlice<String>)

  /// Brings them in the order in which they are looked for.
  mutating func sort()
}

extension CompanionFiles {
  mutating func sort() {}
}
