/// The duration of a sound or film according to its headers, without decoding.
struct MediaDuration {
  let milliseconds: Int?

  init(type: String, byteCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) {
    let seconds: Double? =
      switch type {
      case "audio/wav": Self.wave(read)
      case "audio/flac": Self.flac(read)
      case "audio/mp4", "video/mp4", "video/quicktime": Self.movie(byteCount, read)
      case "audio/ogg": Self.ogg(byteCount, read)
      default: nil
      }
    milliseconds = seconds.flatMap { $0.isFinite && $0 >= 0 && $0 < 1e9 ? Int($0 * 1_000) : nil }
  }

  /// <http://soundfile.sapp.org/doc/WaveFormat/>: the bytes of the data divided by the bytes per second.
  private static func wave(_ read: (Int, Int) -> [UInt8]) -> Double? {
    var offset = 12
    var rate = 0
    for _ in 0..<16 {
      let head = read(offset, 20)
      guard head.count >= 8 else { return nil }
      let size = head.little(4, 4)
      if head.starts(with: Array("fmt ".utf8)), head.count == 20 { rate = head.little(16, 4) }
      if head.starts(with: Array("data".utf8)) { return rate > 0 ? Double(size) / Double(rate) : nil }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// <https://xiph.org/flac/format.html#metadata_block_streaminfo>
  private static func flac(_ read: (Int, Int) -> [UInt8]) -> Double? {
    let head = read(8, 34)
    guard head.count == 34 else { return nil }
    let rate = head.big(10, 3) >> 4
    let samples = (head.big(13, 1) & 15) << 32 | head.big(14, 4)
    return rate > 0 && samples > 0 ? Double(samples) / Double(rate) : nil
  }

  /// ISO/IEC 14496-12: `mvhd` in `moov`, at any place.
  private static func movie(_ byteCount: Int, _ read: (Int, Int) -> [UInt8]) -> Double? {
    var offset = 0
    var end = byteCount
    for _ in 0..<64 where offset + 8 <= end {
      let head = read(offset, 40)
      guard head.count >= 16 else { return nil }
      let size = head.big(0, 4) == 1 ? head.big(8, 8) : head.big(0, 4)
      let name = String(decoding: head[4..<8], as: UTF8.self)
      if name == "moov" {
        if size >= 8, size <= end - offset { end = offset + size }
        offset += 8
        continue
      }
      if name == "mvhd", head.count == 40 {
        let isLong = head[8] == 1
        let scale = isLong ? head.big(28, 4) : head.big(20, 4)
        let duration = isLong ? head.big(32, 8) : head.big(24, 4)
        return scale > 0 && duration >= 0 ? Double(duration) / Double(scale) : nil
      }
      guard size >= 8, size <= end - offset else { return nil }
      offset += size
    }
    return nil
  }

  /// RFC 3533: the last page has the number of samples, the first one the type of sound.
  private static func ogg(_ byteCount: Int, _ read: (Int, Int) -> [UInt8]) -> Double? {
    let head = read(28, 20)
    let tail = read(max(0, byteCount - 65_536), 65_536)
    guard head.count == 20,
      let page = tail.indices.dropLast(14).last(where: { tail[$0..<($0 + 4)].elementsEqual("OggS".utf8) })
    else { return nil }
    let samples = tail.little(page + 6, 8)
    if head.starts(with: Array("OpusHead".utf8)) { return Double(samples &- head.little(10, 2)) / 48_000 }
    guard head[1...].starts(with: Array("vorbis".utf8)), head.little(12, 4) > 0 else { return nil }
    return Double(samples) / Double(head.little(12, 4))
  }
}

extension [UInt8] {
  /// Reads a big-endian integer. Eight bytes may give a negative number.
  fileprivate func big(_ start: Int, _ length: Int) -> Int {
    self[start..<(start + length)].reduce(0) { $0 << 8 | Int($1) }
  }

  fileprivate func little(_ start: Int, _ length: Int) -> Int {
    self[start..<(start + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
