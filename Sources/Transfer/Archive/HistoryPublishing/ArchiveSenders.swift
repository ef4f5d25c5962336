internal import MessageModel
internal import MessagePostgres
internal import MessageStorage

struct ArchiveSenders {
  private let connection: PostgresConnection
  private let numbers: ArchiveNumbers
  /// Names and platform ids; `nil` until read. The publisher's lock keeps them unchanged.
  private var known: [Int64: String]?
  private var noted: [Int64: (name: String, external: String?)] = [:]

  init(_ connection: PostgresConnection, _ numbers: ArchiveNumbers) {
    (self.connection, self.numbers) = (connection, numbers)
  }

  mutating func read() throws(StoreError) {
    guard known == nil else { return }
    let rows = try connection.run(
      "SELECT id, name || chr(10) || coalesce(external, '') FROM sender WHERE store = $1::integer",
      [PostgresValue(numbers.store)])
    known = Dictionary(rows.indices.map { (rows.int($0, 0), rows.text($0, 1)) }) { $1 }
  }

  mutating func note(_ record: MessageRecord, by writer: inout ArchiveLineWriter) {
    guard let sender = record.message.sender else { return }
    let number = numbers.number(of: sender.id)
    let name = writer.kept(sender.name)
    let external = record.senderID.map { writer.kept($0) }
    let present = name + "\n" + (external ?? "")
    guard known?[number] != present else { return }
    noted[number] = (name, external)
    known?[number] = present
  }

  /// A community may have very many.
  mutating func write() throws(StoreError) {
    if noted.isEmpty { return }
    let rows = noted.map { Row(id: $0, name: $1.name, external: $1.external) }
    try connection.run(
      """
      INSERT INTO sender SELECT id, $1::integer, name, external
          FROM jsonb_to_recordset($2::jsonb) AS r(id bigint, name text, external text)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, external = excluded.external
      """, [PostgresValue(numbers.store), PostgresValue(SteadyJSON.of(rows))])
    noted = [:]
  }

  mutating func forget() { (known, noted) = (nil, [:]) }

  private struct Row: Encodable {
    var id: Int64
    var name: String
    var external: String?
  }
}
