internal import ChatSession
internal import Foundation
internal import MessageModel

/// What made-up bytes are: the variable `FORMAT` of the environment says it.
enum FuzzTarget: String {
  /// A picture to be made small.
  case pictures
  /// What becomes of the bytes of a store's file, and of the values in its tables.
  case store
  /// A query as people type it.
  case query
  /// Lines and keys of a REPL.
  case repl
  /// Texts and names of a history that is shown on a terminal.
  case terminal

  /// `nil` for a file to be imported: `FORMAT` is its format then, or none to tell it by the content.
  static let chosen = ProcessInfo.processInfo.environment["FORMAT"].flatMap(FuzzTarget.init)
}

/// The function that libFuzzer calls with bytes that it made up.
///
/// A trap ends the run, as does whatever a target takes for a mistake.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  switch FuzzTarget.chosen {
  case nil: FuzzedImport.shared.read(bytes)
  case .pictures: FuzzedPicture.read(bytes)
  case .store: FuzzedStore.use(FuzzInput(bytes))
  case .query: FuzzedQuery.shared.ask(FuzzInput(bytes).rest)
  case .repl: FuzzedRepl.type(FuzzInput(bytes))
  case .terminal: FuzzedTerminal.show(FuzzInput(bytes))
  }
  return 0
}

/// Ends the run: libFuzzer keeps the bytes.
func mistake(_ sentence: String) -> Never {
  // What traps say is left out of release builds.
  try? FileHandle.standardError.write(contentsOf: Data("scrollback-fuzz: \(sentence)\n".utf8))
  abort()
}

/// Ends the run unless a condition holds.
func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { mistake(sentence()) }
}

/// Does what may fail in the ways that are told; any other error is a mistake.
func attempt<Value>(_ body: () throws -> Value) -> Value? {
  do {
    return try body()
  } catch is StoreError {
    return nil
  } catch is UsageError {
    return nil
  } catch {
    mistake("This error tells nobody anything: \(error)")
  }
}

/// Made-up bytes, taken from the front.
struct FuzzInput {
  private var bytes: ArraySlice<UInt8>

  init(_ buffer: UnsafeRawBufferPointer) { bytes = Array(buffer)[...] }

  var isEmpty: Bool { bytes.isEmpty }

  /// The bytes that are left, as text.
  var rest: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes that are left, parted at one that no text has.
  var fields: [String] {
    bytes.split(separator: 0xFF, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }

  /// 0 at the end.
  mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

  mutating func number(below limit: Int) -> Int { (byte() << 8 | byte()) % max(1, limit) }

  mutating func integer() -> Int64 {
    Int64(bitPattern: (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) })
  }

  mutating func take(_ count: Int) -> [UInt8] {
    let taken = bytes.prefix(count)
    bytes = bytes.dropFirst(count)
    return Array(taken)
  }
}
