internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryModel
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// The import options of a source as the store keeps them: option names and typed values.
struct SourceSettings {
  private static let zoneName = "time-zone"

  let values: [String: String]

  init(_ reading: ReadingOptions, zone: String?) {
    var values: [String: String] = [:]
    values["format"] = reading.format
    values["into"] = reading.into
    values["date"] = reading.date
    values["date-order"] = reading.dateOrder
    values["time-format"] = reading.timeFormat
    values["map"] = reading.map.isEmpty ? nil : reading.map.joined(separator: ",")
    values["encoding"] = reading.encoding
    values["me"] = reading.me
    values["keep-original"] = reading.keepOriginal ? "" : nil
    values["allow-future"] = reading.allowFuture ? "" : nil
    values[Self.zoneName] = zone
    self.values = values
  }

  init(_ source: StoredSource) { values = source.settings }

  /// The options as typed, in alphabetical order.
  var text: String {
    values.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? "--\($0.key)" : "--\($0.key) \($0.value)" }
      .joined(separator: " ")
  }

  func options(in shell: Shell) throws -> ImportOptions {
    var arguments: [String] = []
    for (name, value) in values where name != Self.zoneName {
      // With `=`, a value may begin like an option.
      arguments.append(value.isEmpty ? "--\(name)" : "--\(name)=\(value)")
    }
    guard let reading = try? ReadingOptions.parse(arguments) else {
      throw UsageError(
        "cannot follow with \(text)", cause: "another version of Scrollback saved these options")
    }
    var common = CommonOptions()
    common.timeZone = values[Self.zoneName]
    return try reading.options(zone: try common.zone(in: shell), in: shell)
  }
}

extension CommonOptions {
  /// Opens the store for writing; creates it if all named paths exist. Throws ``UsageError`` with status 66
  /// for a missing path.
  func storeOfSources(_ paths: [String], in shell: Shell) throws -> SynchronousMessageStore {
    if paths.isEmpty { return try writableStore(in: shell) }
    for path in paths { _ = try Self.place(of: path) }
    return try writableStore(in: shell, StoreOptions())
  }

  /// Adds sources to a store. Known ones keep their options unless new ones are given. Throws ``UsageError``
  /// with status 66 for a missing path, and for invalid options.
  func add(
    _ paths: [String], _ reading: ReadingOptions, to store: SynchronousMessageStore, in shell: Shell
  ) throws -> [StoredSource] {
    let settings = SourceSettings(reading, zone: timeZone)
    // Checks the format and the column map.
    _ = try ImportReader([], options: try reading.options(zone: try zone(in: shell), in: shell))
    return try paths.map { path in
      let place = try Self.place(of: path)
      return try store.addSource(place, settings: settings.values)
    }
  }

  private static func place(of path: String) throws -> String {
    let place = URL(fileURLWithPath: PathText.expanded(path)).standardizedFileURL.path
    guard path != "-" else {
      throw UsageError(
        "standard input cannot be followed", remedy: "scrollback append takes lines from it as they come")
    }
    guard PathBytes.withBytes(of: place, { access($0, F_OK) }) == 0 else {
      throw UsageError(
        "cannot follow '\(PathBytes.shown(path))'", cause: "No such file or directory", status: .noSuchFile)
    }
    return place
  }
}
