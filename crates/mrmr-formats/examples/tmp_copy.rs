//! Temporary.
#![allow(clippy::unwrap_used, clippy::print_stdout)]
use mrmr_formats::parquet_table::*;
fn main(){ let src=std::fs::read("tests/fixtures/datasets/mixed/corpus/test.parquet").unwrap(); let src2=std::fs::read("tests/fixtures/datasets/hub/corpus/test-00000-of-00002.parquet").unwrap();
 std::panic::set_hook(Box::new(|i|{ if let Some(l)=i.location(){ eprintln!("PANIC {} {}",l.file().rsplit('/').take(3).collect::<Vec<_>>().join("<"),l.line()); } }));
 let dir=std::env::temp_dir().join("fuzzset"); let _=std::fs::remove_dir_all(&dir); std::fs::create_dir_all(dir.join("corpus")).unwrap(); std::fs::create_dir_all(dir.join("query")).unwrap();std::fs::create_dir_all(dir.join("qrels")).unwrap();
 std::fs::copy("tests/fixtures/datasets/mixed/queries/dev.parquet",dir.join("query/test.parquet")).unwrap(); std::fs::copy("tests/fixtures/datasets/mixed/qrels/test.parquet",dir.join("qrels/test.parquet")).unwrap();
 let (mut ok,mut err,mut pan)=(0,0,0);
 for src in [src,src2] { for i in 0..src.len() { for x in [1u8,0x80,0xff] { let mut b=src.clone(); b[i]^=x; std::fs::write(dir.join("corpus/test.parquet"),&b).unwrap();
  let r=std::panic::catch_unwind(||{ let (d,_)=mrmr_formats::dataset::open_dataset(&dir,&Default::default())?; for (_,_,r) in d.corpus.iter(){ for i in r.content.images().chain(&r.page).chain(&r.merged) { i.media.read()?; } } Ok::<_,mrmr_core::Error>(()) });
  match r { Ok(Ok(_))=>ok+=1, Ok(Err(_))=>err+=1, Err(_)=>{pan+=1; eprintln!("at byte {i} ^ {x:#x}")} } } } }
 println!("ok {ok} err {err} panic {pan}");
 let _ = Table::open("x");
}
