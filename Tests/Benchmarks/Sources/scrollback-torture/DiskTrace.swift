import Foundation

/// All that a program has changed on the disk, in the order in which it did.
struct DiskTrace {
  /// A change, as the library notes it.
  enum Event {
    case write(inode: UInt64, offset: Int, bytes: ArraySlice<UInt8>)
    case truncate(inode: UInt64, length: Int)
    case sync(inode: UInt64)
    case syncFolder(String)
    case make(String, inode: UInt64)
    case makeFolder(String)
    case rename(String, to: String)
    case exchange(String, with: String)
    case link(String, as: String)
    case unlink(String)
    case removeFolder(String)
    /// What the program wrote to its standard output.
    case say(ArraySlice<UInt8>)

    /// What the program told by this.
    var output: ArraySlice<UInt8> {
      guard case .say(let bytes) = self else { return [] }
      return bytes
    }
  }

  private(set) var events: [Event] = []

  init(file: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    var place = 0
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + offset + $1]) }
    }
    while place + 32 <= bytes.count {
      let kind = UInt8(number(0, 4))
      let lengths = [number(4, 4), number(8, 4), number(12, 4)]
      let (inode, offset) = (UInt64(number(16, 8)), number(24, 8))
      place += 32
      // A process that was killed as it wrote this has left a part.
      guard place + lengths.reduce(0, +) <= bytes.count else { break }
      let parts = lengths.map { length in
        defer { place += length }
        return bytes[place..<place + length]
      }
      let (path, other) = (
        String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self)
      )
      if let event = Self.event(kind, inode, offset, path, other, parts[2]) { events.append(event) }
    }
  }

  private static func event(
    _ kind: UInt8, _ inode: UInt64, _ offset: Int, _ path: String, _ other: String, _ bytes: ArraySlice<UInt8>
  ) -> Event? {
    switch UnicodeScalar(kind) {
    case "w": .write(inode: inode, offset: offset, bytes: bytes)
    case "t": .truncate(inode: inode, length: offset)
    case "s": .sync(inode: inode)
    case "f": .syncFolder(path)
    case "c": .make(path, inode: inode)
    case "d": .makeFolder(path)
    case "r": .rename(path, to: other)
    case "x": .exchange(path, with: other)
    case "l": .link(path, as: other)
    case "u": .unlink(path)
    case "q": .removeFolder(path)
    case "a": .say(bytes)
    default: nil
    }
  }
}
