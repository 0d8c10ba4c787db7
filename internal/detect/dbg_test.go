package detect
import ("testing";"os";"fmt")
func TestDbg(t *testing.T){
 name:=os.Getenv("REC"); if name=="" {t.Skip()}
 host:=readTraining(t,"testdata/cpu/"+name+".csv")
 d:=New("host",Options{Kind:"host"})
 tr:=d.tracks["used"]
 var was *growth
 for _,s:=range host { 
  var w int64; slow:=false
  if tr.growth!=nil {w=tr.patience(); slow=tr.slowed()}
  d.Observe(s)
  if tr.growth!=was { if tr.growth!=nil {fmt.Printf("%d begin %+v\n",s.Step,*tr.growth)} else {fmt.Printf("%d end %+v w=%d slow=%v\n",s.Step,*was,w,slow)}; was=tr.growth}
 }
 fmt.Printf("%+v\n",tr.growth)
}
